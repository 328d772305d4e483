package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.time.Duration;

/** Publishes the address of a worker in the store of its group, and reads those of its peers. */
final class AddressStore {
    private final Store store;

    AddressStore(Store store) {
        this.store = store;
    }

    private static String key(WorkerInfo worker) {
        return Store.keyOf(worker.name(), "netty/address");
    }

    void publish(WorkerInfo self, Address address) {
        store.set(key(self), address.encode());
    }

    /**
     * Wait for the address of a member.
     *
     * @throws RpcConfigurationException when it is malformed
     * @throws org.gradwire.rpc.RpcTimeoutException when it does not appear by the deadline
     */
    Address await(WorkerInfo member, long deadlineNanos) {
        long left = Math.max(1, deadlineNanos - System.nanoTime());
        byte[] bytes = store.get(key(member), Duration.ofNanos(left));
        try {
            return Address.decode(bytes);
        } catch (DecodingException e) {
            throw new RpcConfigurationException(
                    "the address of %s in the store (%s): %s; it must be a worker of the same Gradwire with the backend netty"
                            .formatted(member, key(member), e.getMessage()),
                    e);
        }
    }
}
