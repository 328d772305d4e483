package org.gradwire.spi;

import org.gradwire.rpc.RpcConfigurationException;

/** An operation that some stores do not have. */
public enum StoreCapability {
    /** {@link Store#compareAndSet}. */
    COMPARE_AND_SET("compareAndSet"),
    /** {@link Store#watch}. */
    WATCH("watch"),
    /** {@link Store#acquire}. */
    LEASE("leases");

    private final String word;

    StoreCapability(String word) {
        this.word = word;
    }

    /** {@return the failure of an operation that a store does not have} */
    RpcConfigurationException missingIn(Store store) {
        return new RpcConfigurationException(
                "%s does not offer %s; name another store in gradwire.rendezvous, such as tcp://host:port"
                        .formatted(store.getClass().getSimpleName(), word));
    }
}
