package org.gradwire.runtime;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.store.StoreFactory;
import org.gradwire.spi.Settings;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Requires a token of groups that other hosts can reach, unless the user has chosen otherwise. One
 * instance serves the JVM.
 */
final class RendezvousPolicy {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.config");

    private final StoreFactory stores;
    private final AtomicBoolean warned = new AtomicBoolean();

    RendezvousPolicy(StoreFactory stores) {
        this.stores = stores;
    }

    /**
     * Check where a worker is about to meet its group.
     *
     * @throws RpcConfigurationException when that is beyond loopback and there is no token
     */
    void check(Settings settings) {
        boolean insecure = settings.flag(RuntimeSettings.INSECURE);
        if (settings.find(Settings.AUTHENTICATION_TOKEN).isEmpty()) {
            stores.networkAddress(settings.text(RuntimeSettings.RENDEZVOUS))
                    .ifPresent(address ->
                            allow(address, settings.origin(RuntimeSettings.RENDEZVOUS), insecure));
        }
    }

    private void allow(String address, String origin, boolean insecure) {
        if (!insecure) {
            throw new RpcConfigurationException(
                    "the rendezvous %s (%s, from %s) can be reached from other hosts, and there is no token to refuse strangers with; make one, %s, copy it to each host, and set %s=FILE for all workers. In a network where every host is trusted, %s=true does without"
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
                    "the group at {0} has no token, as {1}=true permits: everybody who reaches it can join it and call its functions",
                    address,
                    RuntimeSettings.INSECURE);
        }
    }
}
