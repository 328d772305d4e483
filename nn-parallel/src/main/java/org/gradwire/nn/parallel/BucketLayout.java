package org.gradwire.nn.parallel;

import org.gradwire.nn.Embedding;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.Module;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Assigns parameters to buckets: in the order in which their gradients are expected, those of one
 * type and device together, up to a number of bytes. A parameter with sparse gradients has its own
 * bucket.
 */
final class BucketLayout {
    /** Limit of the first bucket, so that communication begins early. */
    private static final long FIRST_BYTES = 1 << 20;

    private final List<Tensor> parameters;
    private final BitSet sparse;
    private final long bytes;

    /** The tensors that one buffer can hold. */
    private record Kind(DType dtype, Device device) {}

    BucketLayout(Module module, List<Tensor> parameters, long bytes) {
        this.parameters = parameters;
        this.sparse = sparse(module, parameters);
        this.bytes = bytes;
    }

    private static BitSet sparse(Module module, List<Tensor> parameters) {
        Set<Tensor> tables = new HashSet<>();
        for (Module each : module.modules()) {
            boolean isSparse =
                    switch (each) {
                        case Embedding table -> table.configuration().sparse();
                        case EmbeddingBag table -> table.configuration().sparse();
                        default -> false;
                    };
            if (isSparse) {
                tables.addAll(each.parameters());
            }
        }
        BitSet sparse = new BitSet();
        IntStream.range(0, parameters.size())
                .filter(i -> tables.contains(parameters.get(i)))
                .forEach(sparse::set);
        return sparse;
    }

    /** {@return the parameters in the reverse order of registration: the last are used last} */
    int[] reverseOrder() {
        int last = parameters.size() - 1;
        return IntStream.rangeClosed(0, last).map(i -> last - i).toArray();
    }

    /** Assign the parameters in an order of their gradients. */
    List<Bucket> assign(int[] order) {
        List<List<Integer>> closed = new ArrayList<>();
        Map<Kind, List<Integer>> open = new LinkedHashMap<>();
        Map<Kind, Long> limits = new LinkedHashMap<>();
        for (int number : order) {
            Tensor parameter = parameters.get(number);
            if (sparse.get(number)) {
                closed.add(List.of(number));
                continue;
            }
            Kind kind = new Kind(parameter.dtype(), parameter.device());
            List<Integer> members = open.computeIfAbsent(kind, _ -> new ArrayList<>());
            members.add(number);
            if (bytes(members) >= limits.getOrDefault(kind, Math.min(bytes, FIRST_BYTES))) {
                closed.add(members);
                open.remove(kind);
                limits.put(kind, bytes);
            }
        }
        closed.addAll(open.values());
        return IntStream.range(0, closed.size())
                .mapToObj(i -> bucket(i, i == closed.size() - 1, closed.get(i)))
                .toList();
    }

    private Bucket bucket(int index, boolean isLast, List<Integer> members) {
        List<Tensor> tensors = members.stream().map(parameters::get).toList();
        return new Bucket(
                members,
                tensors,
                sparse.get(members.getFirst()) ? null : new GradientBucket(index, isLast, tensors));
    }

    private long bytes(List<Integer> members) {
        return members.stream()
                .map(parameters::get)
                .mapToLong(tensor -> (long) tensor.numel() * tensor.dtype().bytes())
                .sum();
    }
}
