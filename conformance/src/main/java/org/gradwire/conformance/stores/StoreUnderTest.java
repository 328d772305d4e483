package org.gradwire.conformance.stores;

import org.gradwire.conformance.harness.MapSettings;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * A store that the kit verifies.
 *
 * @param provider opens it
 * @param addresses returns an address that no other check uses
 * @param settings of the provider, in addition to its defaults
 * @param patience how long an event may take that must happen
 */
public record StoreUnderTest(
        StoreProvider provider,
        Supplier<String> addresses,
        Map<String, String> settings,
        Duration patience) {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * Return the store of an installed provider.
     *
     * @throws NoSuchElementException if no provider has the scheme
     */
    public static StoreUnderTest of(
            String scheme, Supplier<String> addresses, Map<String, String> settings) {
        StoreProvider provider =
                ServiceLoader.load(StoreProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(each -> each.schemes().contains(scheme))
                        .findFirst()
                        .orElseThrow(() ->
                                new NoSuchElementException(
                                        "no StoreProvider has the scheme " + scheme));
        return new StoreUnderTest(provider, addresses, settings, PATIENCE);
    }

    /** Open the store as a member of a dynamic group. */
    Store open(String address, int id) {
        var self = new WorkerInfo(id, "worker" + id);
        return provider.open(new StoreContext(address, self, 0, values(), patience));
    }

    private Settings values() {
        Map<String, String> values = new HashMap<>();
        for (Setting setting : provider.settings()) {
            values.put(setting.key(), setting.defaultValue());
        }
        values.putAll(settings);
        return new MapSettings(values);
    }

    @Override
    public String toString() {
        return provider.form();
    }
}
