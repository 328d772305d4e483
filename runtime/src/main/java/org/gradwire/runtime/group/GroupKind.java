package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Store;

import java.util.Locale;

/** The kind of a group; the same for all users of a store. */
enum GroupKind {
    /** A fixed number of workers, which join and leave together. */
    STATIC,
    /** Workers join and leave at any time. */
    DYNAMIC;

    private String key() {
        return "kind/" + this;
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
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
                    "RPC group mixes statically and dynamically initialized members which is not supported. The group is %s, but this worker wants to join a %s one; set the same gradwire.group on all workers"
                            .formatted(other.word(), word()));
        }
    }
}
