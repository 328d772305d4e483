package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.store.StoreFactory;
import org.gradwire.spi.Settings;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Requires a token or certificates for groups that other hosts can reach, unless the settings allow
 * them without. One instance serves the JVM. Thread-safe.
 */
public final class RendezvousPolicy {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.config");

    private final StoreFactory stores;
    private final AtomicBoolean warned = new AtomicBoolean();

    public RendezvousPolicy(StoreFactory stores) {
        this.stores = stores;
    }

    /**
     * Check the rendezvous of a worker.
     *
     * @throws RpcConfigurationException when it is not on loopback, and there is neither a token
     *     nor a certificate
     */
    public void check(Settings settings) {
        boolean insecure = settings.flag(RuntimeSettings.INSECURE);
        if (isUnset(settings, Settings.AUTHENTICATION_TOKEN)
                && isUnset(settings, Settings.CERTIFICATE)) {
            stores.networkAddress(settings.text(RuntimeSettings.RENDEZVOUS))
                    .ifPresent(address ->
                            allow(address, settings.origin(RuntimeSettings.RENDEZVOUS), insecure));
        }
    }

    private static boolean isUnset(Settings settings, String key) {
        return settings.find(key).orElse("").isBlank();
    }

    private void allow(String address, String origin, boolean insecure) {
        if (!insecure) {
            throw new RpcConfigurationException(
                    "the rendezvous %s (%s, from %s) can be reached from other hosts, and the group has neither a token nor certificates; make a token, %s, copy it to each host, and set %s=FILE for all workers. In a network where every host is trusted, %s=true permits a group without a token"
                            .formatted(
                                    address,
                                    RuntimeSettings.RENDEZVOUS,
                                    origin,
                                    RuntimeSettings.TOKEN_RECIPE,
                                    RuntimeSettings.AUTHENTICATION_TOKEN_FILE,
                                    RuntimeSettings.INSECURE));
        }
        if (warned.compareAndSet(false, true)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the group at {0} has no token, as {1}=true permits: every process that reaches it can join it and call its functions",
                    address,
                    RuntimeSettings.INSECURE);
        }
    }
}
