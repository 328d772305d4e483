package org.gradwire.rpc;

import java.util.function.Supplier;

/**
 * Objects that belong to one worker rather than to the JVM, one for each class. Obtained from
 * {@link Rpc#locals}; safe for use by many threads.
 */
public interface WorkerLocals {

    /**
     * Return this worker's instance of a class, created by the first call.
     *
     * {@snippet :
     * @RemoteCallable
     * public static int next() {
     *     return Rpc.current().locals().get(AtomicInteger.class, AtomicInteger::new).incrementAndGet();
     * }
     * }
     *
     * @param initial called at most once for each class
     */
    <T> T get(Class<T> type, Supplier<? extends T> initial);
}
