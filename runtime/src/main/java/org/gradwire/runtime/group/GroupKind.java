package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Store;

/** The kind of a group; the same for all users of a store. */
enum GroupKind {
    /** A fixed number of workers, which join and leave together. */
    STATIC,
    /** Workers join and leave at any time. */
    DYNAMIC;

    private String key() {
        return "kind/" + this;
    }

    /**
     * Set the kind of the group in a store.
     *
     * @throws RpcException when it has the other kind
     */
    void require(Store store) {
        store.add(key(), 1);
        GroupKind other = this == STATIC ? DYNAMIC : STATIC;
        if (store.add(other.key(), 0) > 0) {
            store.add(key(), -1);
            throw new RpcConfigurationException(
                    "RPC group mixes statically and dynamically initialized members which is not supported. Static group property is initialized as %s and is trying to be set as %s"
                            .formatted(other == STATIC, this == STATIC));
        }
    }
}
