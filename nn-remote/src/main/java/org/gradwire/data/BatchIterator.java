package org.gradwire.data;

import java.util.Iterator;

/**
 * The batches of an epoch, in order.
 *
 * <p>Close an iterator that is abandoned before its end: until then, the prefetching threads
 * continue with their batches. An iterator that is not closed is cleaned up when it is garbage
 * collected.
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
     * Return the next batch; with prefetching, wait until it is loaded.
     *
     * @throws IllegalStateException if the load takes longer than the loader's timeout, or the
     *     thread is interrupted; the batch is not lost, and the next call returns it. After a
     *     timeout its loading continues; after an interrupt it restarts
     * @throws java.util.NoSuchElementException when there are no more, or this is closed
     */
    @Override
    B next();

    /** Interrupt the prefetching threads. No batches follow afterwards. */
    @Override
    void close();
}
