package org.gradwire.rpc;

/**
 * What a thread has asked of a worker for a while: until this is closed, by the same thread. Other
 * threads notice nothing of it.
 */
public interface RpcScope extends AutoCloseable {

    /**
     * End the scope. Further calls do nothing.
     *
     * @throws IllegalStateException on another thread than that which opened it
     */
    @Override
    void close();
}
