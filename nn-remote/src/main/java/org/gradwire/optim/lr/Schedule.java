package org.gradwire.optim.lr;

/**
 * Computes the learning rate of each epoch. The implementations are records named as PyTorch's
 * schedulers; a custom one is a lambda:
 *
 * {@snippet :
 * var halving = new LRScheduler(optimizer, (epoch, lr, first) -> epoch == 0 ? first : lr / 2);
 * }
 *
 * <p>The caller of {@link LRScheduler#step} defines an epoch: a pass over the data, or one batch.
 */
@FunctionalInterface
public interface Schedule {

    /**
     * Return the learning rate of an epoch.
     *
     * @param epoch counted from 0, without gaps
     * @param current the current learning rate; at epoch 0 the same as {@code initial}
     * @param initial the learning rate when the scheduler was created
     */
    double lr(int epoch, double current, double initial);

    /** Return the momentum of an epoch; as {@link #lr}. Most schedules do not change it. */
    default double momentum(int epoch, double current, double initial) {
        return current;
    }
}
