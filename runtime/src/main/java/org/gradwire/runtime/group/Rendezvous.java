package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.store.StoreFactory;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;
import org.gradwire.spi.crypto.Credentials;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Opens the stores in which groups meet. One instance serves the JVM. Thread-safe. */
public final class Rendezvous {
    private final StoreFactory stores;
    private final RendezvousPolicy policy;

    /** Create the rendezvous of the stores that are installed. */
    public Rendezvous(List<StoreProvider> providers) {
        stores = new StoreFactory(providers);
        policy = new RendezvousPolicy(stores);
    }

    /** {@return the settings of all stores} */
    public List<Setting> settings() {
        return stores.settings();
    }

    /**
     * {@return the defaults of the store in which the group of a worker meets for settings of the
     * runtime}
     *
     * @throws RpcConfigurationException when there is no such store
     */
    public Map<String, String> defaults(Settings settings) {
        return stores.defaults(settings.text(RuntimeSettings.RENDEZVOUS));
    }

    /**
     * Open the store in which the group of a worker meets.
     *
     * @param worldSize 0 in a dynamic group
     * @param timeout the timeout of its operations; zero means none
     * @throws RpcConfigurationException when other hosts can reach the store, and there is neither
     *     a token nor a certificate; or when the certificate cannot be used
     */
    public Store open(Settings settings, WorkerInfo self, int worldSize, Duration timeout) {
        policy.check(settings);
        var _ = Credentials.read(settings, self.name()); // checked early, whatever the store
        return stores.open(
                new StoreContext(
                        settings.text(RuntimeSettings.RENDEZVOUS),
                        self,
                        worldSize,
                        settings,
                        timeout.isZero() ? Duration.ofDays(1) : timeout));
    }
}
