package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.ServiceLoader;

/** Looks the implementation up once; it cannot change while the JVM runs. */
final class InstalledProvider {
    private static final @Nullable RpcProvider PROVIDER = load();

    private InstalledProvider() {}

    static RpcProvider get() {
        if (PROVIDER == null) {
            throw new RpcConfigurationException(
                    "no implementation of org.gradwire.rpc.RpcProvider is installed; "
                            + advice(RpcProvider.class.getModule().isNamed()));
        }
        return PROVIDER;
    }

    private static String advice(boolean named) {
        return named
                ? "put gradwire-runtime and what it requires on the module path: java -p LIB -m MODULE/CLASS"
                : "put gradwire-runtime and what it requires on the class path; a jar that is made of several has to keep the entries of META-INF/services of each";
    }

    private static @Nullable RpcProvider load() {
        var found =
                ServiceLoader.load(RpcProvider.class, RpcProvider.class.getClassLoader()).stream()
                        .toList();
        return found.isEmpty() ? null : single(found).get();
    }

    private static ServiceLoader.Provider<RpcProvider> single(
            List<ServiceLoader.Provider<RpcProvider>> found) {
        if (found.size() > 1) {
            throw new RpcConfigurationException(
                    "org.gradwire.rpc.RpcProvider is provided %d times: %s; leave one on the %s path"
                            .formatted(
                                    found.size(),
                                    found.stream().map(ServiceLoader.Provider::type).toList(),
                                    RpcProvider.class.getModule().isNamed() ? "module" : "class"));
        }
        return found.getFirst();
    }
}
