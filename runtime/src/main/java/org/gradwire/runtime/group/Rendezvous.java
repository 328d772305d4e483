package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.store.GroupStore;
import org.gradwire.runtime.store.StoreFactory;
import org.gradwire.runtime.store.StoreSecurity;
import org.gradwire.spi.Settings;

import java.time.Duration;

/** Opens the stores in which groups meet. One instance serves the JVM. Thread-safe. */
public final class Rendezvous {
    private final StoreFactory stores = new StoreFactory();
    private final RendezvousPolicy policy = new RendezvousPolicy(stores);

    /**
     * Open the store in which the group of a worker meets.
     *
     * @param worldSize 0 in a dynamic group
     * @param timeout the timeout of its operations; zero means none
     * @throws RpcConfigurationException when other hosts can reach the store, and there is neither
     *     a token nor a certificate; or when the certificate cannot be used
     */
    public GroupStore open(Settings settings, WorkerInfo self, int worldSize, Duration timeout) {
        policy.check(settings);
        return stores.open(
                settings.text(RuntimeSettings.RENDEZVOUS),
                self.id(),
                worldSize,
                StoreSecurity.of(settings, self),
                timeout.isZero() ? Duration.ofDays(1) : timeout);
    }
}
