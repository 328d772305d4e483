package org.gradwire.optim;

/**
 * How a learning rate changes from epoch to epoch. The implementations are records with the names
 * of PyTorch's schedulers; one of one's own is a lambda:
 *
 * {@snippet :
 * var halving = new LRScheduler(optimizer, (epoch, lr, first) -> epoch == 0 ? first : lr / 2);
 * }
 *
 * <p>What an epoch is, is up to who calls {@link LRScheduler#step}: a pass over the data, or one
 * batch.
 */
@FunctionalInterface
public interface Schedule {

    /**
     * Return the learning rate of an epoch.
     *
     * @param epoch from 0 on, one after another
     * @param current the learning rate now, that of the epoch before; at epoch 0 the same as {@code
     *     initial}
     * @param initial the learning rate when the scheduler was made
     */
    double lr(int epoch, double current, double initial);

    /** Return the momentum of an epoch; as {@link #lr}. Most schedules leave it as it is. */
    default double momentum(int epoch, double current, double initial) {
        return current;
    }
}
