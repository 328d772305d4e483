package org.gradwire.rpc;

/**
 * A scope that collects the futures of every {@code rpcAsync} of the thread that opened it, and
 * waits for them when it is closed.
 *
 * {@snippet :
 * try (WaitAll _ = rpc.waitAll()) {
 *     rpc.rpcAsync("worker1", Jobs::step, a);
 *     rpc.rpcAsync("worker2", Jobs::step, b);
 * }
 * }
 *
 * <p>Opened by {@link Rpc#waitAll}. Scopes nest: a future belongs to the innermost one. Close it on
 * the thread that opened it.
 */
public interface WaitAll extends AutoCloseable {

    /**
     * Wait for all collected futures.
     *
     * @throws RuntimeException the first failure, in the order the calls were made, after all of
     *     them are complete
     */
    @Override
    void close();
}
