package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

/**
 * Averages the gradients of a bucket over the members of a group. After PyTorch's communication
 * hooks.
 *
 * <p>All members use the same hook. It runs for one bucket at a time, in the order of their
 * indices, while the backward pass still computes the gradients of later buckets; also for a member
 * without inputs, with zeros: see {@link DistributedDataParallel#join}.
 */
@FunctionalInterface
public interface CommunicationHook {

    /**
     * Return the average, or an approximation of it.
     *
     * @param group whose operations the hook may call, the same ones in the same order on all
     *     members
     * @return of the type and shape of {@link GradientBucket#gradients}, equal on all members
     */
    Tensor average(ProcessGroup group, GradientBucket bucket);

    /** Return the hook that averages without a loss, the default. */
    static CommunicationHook allReduce() {
        return (group, bucket) -> group.allReduce(bucket.gradients(), ReduceOp.MEAN);
    }

    /**
     * Return a hook that sends gradients as elements of another type, such as {@link
     * DType#FLOAT16}: half the bytes of float32. Gradients outside its range become infinite.
     *
     * @throws IllegalArgumentException if it is not a floating-point type
     */
    static CommunicationHook compressed(DType dtype) {
        if (!dtype.isFloating()) {
            throw new IllegalArgumentException(
                    "gradients cannot be sent as %s; use a floating-point type".formatted(dtype));
        }
        return (group, bucket) ->
                group.allReduce(bucket.gradients().to(dtype), ReduceOp.MEAN)
                        .to(bucket.gradients().dtype());
    }
}
