package org.gradwire.spi.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Settings;

import java.time.Duration;

/**
 * The arguments of {@link StoreProvider#open}.
 *
 * @param address URI with one of the provider's schemes; otherwise unchecked
 * @param self the worker that opens it; in a static group its id is its rank
 * @param worldSize number of workers of the group; 0 in a dynamic group
 * @param settings of the worker
 * @param timeout of the wait until the store can be used; positive
 */
public record StoreContext(
        String address, WorkerInfo self, int worldSize, Settings settings, Duration timeout) {

    /**
     * {@return the failure of an address that does not have a provider's form}
     *
     * <p>A user and a password in the address are masked.
     */
    public static RpcConfigurationException malformed(String address, String forms) {
        return new RpcConfigurationException(
                "gradwire.rendezvous=%s must have the form %s".formatted(masked(address), forms));
    }

    /** {@return an address for logs and errors, without the user and the password in it} */
    public static String masked(String address) {
        return address.replaceFirst("//.*@", "//***@");
    }
}
