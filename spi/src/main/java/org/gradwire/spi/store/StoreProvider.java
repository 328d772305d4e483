package org.gradwire.spi.store;

import org.gradwire.spi.Setting;
import org.gradwire.spi.Store;
import org.gradwire.spi.StoreCapability;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Opens the stores of some URI schemes. A service with a public constructor without arguments, as
 * {@link java.util.ServiceLoader} requires; one instance serves all workers of a JVM.
 */
public interface StoreProvider {

    /** {@return the URI schemes, lower-case; no other provider may have them} */
    Set<String> schemes();

    /** {@return the form of its addresses, for error messages, such as {@code tcp://host:port}} */
    String form();

    /** {@return the settings of this store, each under {@code gradwire.<scheme>.}} */
    default List<Setting> settings() {
        return List.of();
    }

    /** {@return this store's defaults for settings of the runtime} */
    default Map<String, String> defaults() {
        return Map.of();
    }

    /** {@return the optional operations that its stores have; all of them by default} */
    default Set<StoreCapability> capabilities() {
        return EnumSet.allOf(StoreCapability.class);
    }

    /**
     * {@return whether other hosts may reach the store, so that its group needs a token or
     * certificates}
     *
     * @throws org.gradwire.rpc.RpcConfigurationException when the address is malformed
     */
    boolean isReachable(String address);

    /**
     * Open a store, waiting until it can be used.
     *
     * @throws org.gradwire.rpc.RpcConfigurationException when the address is malformed or a setting
     *     is wrong, or when the store cannot be used in time
     */
    Store open(StoreContext context);
}
