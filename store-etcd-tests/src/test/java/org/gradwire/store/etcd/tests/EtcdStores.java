package org.gradwire.store.etcd.tests;

import org.gradwire.conformance.harness.MapSettings;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;

/** Opens stores of etcd without a group. */
final class EtcdStores {
    static final Duration LONG = Duration.ofSeconds(60);
    static final StoreProvider PROVIDER =
            ServiceLoader.load(StoreProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(provider -> provider.schemes().contains("etcd"))
                    .findFirst()
                    .orElseThrow();

    private EtcdStores() {}

    static Store open(String address, int rank, int worldSize) {
        return open(address, rank, worldSize, LONG, Map.of());
    }

    static Store open(
            String address,
            int rank,
            int worldSize,
            Duration timeout,
            Map<String, String> settings) {
        Map<String, String> values = new HashMap<>();
        for (Setting setting : PROVIDER.settings()) {
            values.put(setting.key(), setting.defaultValue());
        }
        values.put("gradwire.etcd.time-to-live", "2s");
        values.put("gradwire.etcd.request-timeout", "1s");
        values.putAll(settings);
        return PROVIDER.open(
                new StoreContext(
                        address,
                        new WorkerInfo(rank, "worker" + rank),
                        worldSize,
                        new MapSettings(values),
                        timeout));
    }
}
