package org.gradwire.data;

import java.util.Iterator;

/**
 * The batches of an epoch, in order.
 *
 * <p>Close an iterator that is given up before its end: until then, the threads that load ahead
 * continue with the batches they have begun. One that is not closed is cleaned up when it is
 * garbage collected.
 *
 * {@snippet :
 * try (var batches = loader.iterator()) {
 *     while (batches.hasNext() && !enough()) {
 *         train(batches.next());
 *     }
 * }
 * }
 *
 * <p><b>Threads.</b> Belongs to one thread.
 *
 * @param <B> type of a batch
 */
public interface BatchIterator<B> extends Iterator<B>, AutoCloseable {

    /**
     * Return the next batch; wait for it when it is loaded ahead.
     *
     * @throws IllegalStateException when loading takes longer than the loader's timeout, or the
     *     thread is interrupted; the batch is not lost, and the next call returns it. After a
     *     timeout its loading goes on; after an interrupt it begins again
     * @throws java.util.NoSuchElementException when there are no more, or this is closed
     */
    @Override
    B next();

    /** Interrupt the threads that load ahead. There are no batches after that. */
    @Override
    void close();
}
