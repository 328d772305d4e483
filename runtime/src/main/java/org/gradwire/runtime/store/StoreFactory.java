package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Opens the store that a rendezvous address names, by the provider of its scheme. Thread-safe. */
public final class StoreFactory {
    private static final String ENVIRONMENT = "env";
    private static final Pattern ADDRESS = Pattern.compile("([a-z][a-z0-9+.-]*)://.*");

    private final Map<String, StoreProvider> providers = new TreeMap<>(); // by scheme
    private final Function<String, String> environment;

    /**
     * Create a factory of the stores of some providers.
     *
     * @throws RpcConfigurationException when two have the same scheme
     */
    public StoreFactory(Collection<? extends StoreProvider> all) {
        this(all, name -> System.getenv().getOrDefault(name, ""));
    }

    StoreFactory(Collection<? extends StoreProvider> all, Function<String, String> environment) {
        this.environment = environment;
        for (StoreProvider provider : all) {
            for (String scheme : provider.schemes()) {
                StoreProvider other = providers.put(scheme, provider);
                if (other != null || scheme.equals(ENVIRONMENT)) {
                    throw new RpcConfigurationException(
                            "the scheme %s:// has two stores, of %s and %s; remove one of them from the module path or class path"
                                    .formatted(
                                            scheme,
                                            provider.getClass().getName(),
                                            other == null
                                                    ? StoreFactory.class.getName()
                                                    : other.getClass().getName()));
                }
            }
        }
    }

    /** {@return the settings of all stores} */
    public List<Setting> settings() {
        return providers.values().stream()
                .distinct()
                .flatMap(provider -> provider.settings().stream())
                .toList();
    }

    /**
     * {@return the defaults of the store of an address for settings of the runtime}
     *
     * @throws RpcConfigurationException when no provider has the scheme
     */
    public Map<String, String> defaults(String address) {
        return provider(resolve(address)).defaults();
    }

    /**
     * Open a store.
     *
     * @throws RpcConfigurationException when no provider has the scheme, and as {@link
     *     StoreProvider#open}
     */
    public Store open(StoreContext context) {
        String address = resolve(context.address());
        return provider(address)
                .open(
                        new StoreContext(
                                address,
                                context.self(),
                                context.worldSize(),
                                context.settings(),
                                context.timeout()));
    }

    /**
     * {@return the address of a store that other hosts can reach, for messages; empty for a store
     * on the loopback interface, in a file or in this JVM}
     */
    public Optional<String> networkAddress(String address) {
        String resolved = resolve(address);
        return provider(resolved).isReachable(resolved)
                ? Optional.of(StoreContext.masked(resolved))
                : Optional.empty();
    }

    private StoreProvider provider(String address) {
        StoreProvider provider = providers.get(scheme(address));
        if (provider == null) {
            throw StoreContext.malformed(
                    address, forms() + "; a module with another StoreProvider adds its scheme");
        }
        return provider;
    }

    private static String scheme(String address) {
        Matcher matcher = ADDRESS.matcher(address);
        return matcher.matches() ? matcher.group(1) : "";
    }

    /** {@return the forms of addresses for which there are stores} */
    private String forms() {
        Stream<String> forms =
                providers.values().stream().map(StoreProvider::form).distinct().sorted();
        return String.join(", ", forms.toList()) + " or env://";
    }

    private String resolve(String address) {
        return scheme(address).equals(ENVIRONMENT) ? fromEnvironment() : address;
    }

    private String fromEnvironment() {
        String host = environment.apply("MASTER_ADDR");
        String port = environment.apply("MASTER_PORT");
        if (host.isBlank() || port.isBlank()) {
            throw new RpcConfigurationException(
                    "rendezvous env:// needs the environment variables MASTER_ADDR and MASTER_PORT, but MASTER_ADDR is '%s' and MASTER_PORT is '%s'; set them, or set gradwire.rendezvous"
                            .formatted(host, port));
        }
        return "tcp://" + host + ":" + port;
    }
}
