package org.gradwire.collective;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of a list of tensors in parts: those of one element type are joined into one of one
 * dimension, in the order of the list, so that a part has few tensors. The types are in the order
 * of their first tensors.
 */
final class ListLayout {
    private final List<Tensor> like;
    private final Map<DType, List<Integer>> positions = new LinkedHashMap<>();

    /** Create the layout of tensors with the types and shapes of some. */
    ListLayout(List<Tensor> like) {
        this.like = like;
        for (int i = 0; i < like.size(); i++) {
            positions.computeIfAbsent(like.get(i).dtype(), _ -> new ArrayList<>()).add(i);
        }
    }

    /** {@return the types of the joined tensors} */
    List<TensorType> joinedTypes() {
        List<TensorType> types = new ArrayList<>();
        positions.forEach((dtype, group) -> {
            int length = group.stream().mapToInt(i -> like.get(i).numel()).sum();
            types.add(new TensorType(dtype, new int[] {length}, -1));
        });
        return types;
    }

    /**
     * Join the tensors of a list. One that is alone of its type shares the memory of its result.
     */
    List<Tensor> join(List<Tensor> tensors) {
        List<Tensor> joined = new ArrayList<>();
        for (List<Integer> group : positions.values()) {
            List<Tensor> flat = Lists.map(group, i -> flat(tensors.get(i)));
            joined.add(flat.size() == 1 ? flat.getFirst() : Ops.cat(flat, 0));
        }
        return joined;
    }

    private static Tensor flat(Tensor tensor) {
        return Ops.reshape(HostTensors.onHost(tensor), new int[] {-1});
    }

    /**
     * Split joined tensors into those of a list, on their devices. One that is alone of its type
     * shares the memory of its result.
     */
    List<Tensor> split(List<Tensor> joined) {
        Tensor[] tensors = new Tensor[like.size()];
        int next = 0;
        for (List<Integer> group : positions.values()) {
            Tensor flat = joined.get(next++);
            int start = 0;
            for (int i : group) {
                Tensor to = like.get(i);
                Tensor own = group.size() == 1 ? flat : cut(flat, start, to.numel());
                tensors[i] = Ops.reshape(own, to.shape()).to(to.device());
                start += to.numel();
            }
        }
        return List.of(tensors);
    }

    private static Tensor cut(Tensor flat, int start, int length) {
        return Ops.narrow(flat, 0, start, length).clone();
    }
}
