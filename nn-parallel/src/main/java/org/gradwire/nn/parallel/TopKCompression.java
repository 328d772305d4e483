package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends only the gradients of the largest magnitude, with their positions; the others are added to
 * those of the next pass. After Aji and Heafield, <i>Sparse Communication for Distributed Gradient
 * Descent</i>, 2017, and Stich et al., <i>Sparsified SGD with Memory</i>, 2018.
 *
 * <p>An instance belongs to one {@link DistributedDataParallel}.
 */
public final class TopKCompression implements CommunicationHook {
    private final double ratio;
    private final Map<List<Tensor>, Tensor> remainders = new HashMap<>(); // by parameters

    /**
     * Create the hook.
     *
     * @param ratio share of a bucket's gradients to send, more than 0 and at most 1; one at least
     * @throws IllegalArgumentException if it is not in this range
     */
    public TopKCompression(double ratio) {
        if (!(ratio > 0 && ratio <= 1)) {
            throw new IllegalArgumentException(
                    "the ratio must be more than 0 and at most 1, but is " + ratio);
        }
        this.ratio = ratio;
    }

    @Override
    public Tensor average(ProcessGroup group, GradientBucket bucket) {
        Tensor remainder =
                remainders.computeIfAbsent(
                        bucket.parameters(),
                        _ -> TensorScope.outside(() -> Tensor.zerosLike(bucket.gradients())));
        remainder.add_(bucket.gradients());
        int count = Math.max(1, (int) (ratio * remainder.numel()));
        Tensor positions = remainder.abs().topk(count).indices();
        Tensor values = remainder.indexSelect(0, positions);
        remainder.indexFill_(0, positions, 0);

        Tensor sum = Tensor.zerosLike(remainder);
        for (List<Tensor> member : group.allGather(List.of(positions, values))) {
            sum.indexAdd_(0, member.getFirst(), member.getLast());
        }
        return sum.div_(group.size());
    }
}
