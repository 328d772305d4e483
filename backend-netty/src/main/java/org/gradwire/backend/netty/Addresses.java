package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.time.Duration;

/** The addresses of the workers in the store of their group. */
final class Addresses {
    private final Store store;

    Addresses(Store store) {
        this.store = store;
    }

    private static String key(int id) {
        return "netty/" + id;
    }

    void leave(int id, Address address) {
        store.set(key(id), address.encode());
    }

    /**
     * Wait for the address of a member.
     *
     * @throws RpcConfigurationException when it is none
     * @throws org.gradwire.rpc.RpcTimeoutException when it does not come
     */
    Address of(WorkerInfo member, long deadlineNanos) {
        long left = Math.max(1, deadlineNanos - System.nanoTime());
        byte[] bytes = store.get(key(member.id()), Duration.ofNanos(left));
        try {
            return Address.decode(bytes);
        } catch (DecodingException e) {
            throw new RpcConfigurationException(
                    "the address of %s in the store (%s): %s; it must be a worker of the same Gradwire with the backend netty"
                            .formatted(member, key(member.id()), e.getMessage()),
                    e);
        }
    }
}
