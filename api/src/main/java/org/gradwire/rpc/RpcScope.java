package org.gradwire.rpc;

/**
 * A setting of one thread that lasts until the thread closes the scope. Other threads are not
 * affected.
 */
public interface RpcScope extends AutoCloseable {

    /**
     * End the scope. Further calls do nothing.
     *
     * @throws IllegalStateException on any thread but the one that opened it
     */
    @Override
    void close();
}
