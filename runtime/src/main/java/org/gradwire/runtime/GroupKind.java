package org.gradwire.runtime;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Store;

/** The two kinds of groups, which do not mix in one store. */
enum GroupKind {
    /** A number of workers that meet, and leave together. */
    STATIC,
    /** Workers that come and go. */
    DYNAMIC;

    private String key() {
        return "kind/" + this;
    }

    /** Say that this worker's group is of this kind; refuse one of the other kind. */
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
