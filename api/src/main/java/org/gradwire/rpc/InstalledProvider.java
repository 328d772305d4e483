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
                    "no implementation of org.gradwire.rpc.RpcProvider is installed; put gradwire-runtime and the modules it requires on the module path, java @jvm.args -p LIB -m MODULE/CLASS; on the class path it is not found");
        }
        return PROVIDER;
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
                    "org.gradwire.rpc.RpcProvider is provided %d times: %s; leave one on the module path"
                            .formatted(
                                    found.size(),
                                    found.stream().map(ServiceLoader.Provider::type).toList()));
        }
        return found.getFirst();
    }
}
