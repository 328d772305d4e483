package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.ServiceLoader;

/** Caches the implementation, which is looked up once per JVM. */
final class InstalledProvider {
    private static final InstalledProvider INSTALLED = load();

    private final @Nullable RpcProvider provider;
    private final String problem;

    private InstalledProvider(@Nullable RpcProvider provider, String problem) {
        this.provider = provider;
        this.problem = problem;
    }

    static RpcProvider get() {
        if (INSTALLED.provider == null) {
            throw new RpcConfigurationException(INSTALLED.problem);
        }
        return INSTALLED.provider;
    }

    private static InstalledProvider load() {
        ClassLoader loader = RpcProvider.class.getClassLoader();
        String conflict = InstalledJars.conflict(loader);
        if (conflict != null) {
            return new InstalledProvider(null, conflict);
        }
        var found = ServiceLoader.load(RpcProvider.class, loader).stream().toList();
        return found.size() == 1
                ? new InstalledProvider(found.getFirst().get(), "")
                : new InstalledProvider(null, notOne(found));
    }

    private static String notOne(List<ServiceLoader.Provider<RpcProvider>> found) {
        boolean named = RpcProvider.class.getModule().isNamed();
        if (found.isEmpty()) {
            return "no implementation of org.gradwire.rpc.RpcProvider is installed; "
                    + (named
                            ? "put gradwire-runtime and its dependencies on the module path: java -p LIB -m MODULE/CLASS"
                            : "put gradwire-runtime and its dependencies on the class path; a merged jar must keep the entries of META-INF/services of all its parts");
        }
        return "org.gradwire.rpc.RpcProvider is provided %d times: %s; leave one on the %s path"
                .formatted(
                        found.size(),
                        found.stream().map(ServiceLoader.Provider::type).toList(),
                        named ? "module" : "class");
    }
}
