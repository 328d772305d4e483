package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.CallArena;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.gradwire.spi.process.CodePath;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The installed backends by name. */
public final class Backends {
    private final Map<String, BackendProvider> byName = new TreeMap<>();

    public Backends(List<BackendProvider> providers) {
        for (BackendProvider provider : providers) {
            BackendProvider twin = byName.put(provider.name(), provider);
            if (twin != null) {
                throw new RpcConfigurationException(
                        "RPC backend %s: already registered, by %s and by %s"
                                .formatted(
                                        provider.name(),
                                        twin.getClass().getName(),
                                        provider.getClass().getName()));
            }
        }
    }

    public List<Setting> settings() {
        return byName.values().stream().flatMap(provider -> provider.settings().stream()).toList();
    }

    /**
     * Return the allocator of receive buffers.
     *
     * @throws RpcConfigurationException when more than one extension provides one
     */
    public static BufferAllocator allocator(List<RpcExtension> extensions) {
        return only(extensions, RpcExtension::allocator, "allocate the buffers of messages")
                .orElseGet(BufferAllocator::plain);
    }

    /**
     * Return the arena of calls, which frees their memory.
     *
     * @throws RpcConfigurationException when more than one extension provides one
     */
    public static Optional<CallArena> callArena(List<RpcExtension> extensions) {
        return only(extensions, RpcExtension::callArena, "free the memory of calls");
    }

    private static <T> Optional<T> only(
            List<RpcExtension> extensions,
            Function<RpcExtension, Optional<T>> offer,
            String purpose) {
        List<T> found =
                extensions.stream().flatMap(extension -> offer.apply(extension).stream()).toList();
        if (found.size() > 1) {
            throw new RpcConfigurationException(
                    "%d extensions want to %s; leave one on the %s"
                            .formatted(found.size(), purpose, CodePath.of(Backends.class)));
        }
        return found.stream().findFirst();
    }

    /** {@return the backend with a name, if it is installed} */
    Optional<BackendProvider> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /**
     * Return the configured backend; empty for {@code auto}.
     *
     * @throws RpcConfigurationException when it is not installed, or cannot work here
     */
    public Optional<BackendProvider> named(Settings settings) {
        return settings.text(RuntimeSettings.BACKEND).equals(BackendAgreement.AUTO)
                ? Optional.empty()
                : Optional.of(select(settings));
    }

    /**
     * Return the backend that the settings name.
     *
     * @throws RpcConfigurationException when it is not installed, or cannot work here
     */
    BackendProvider select(Settings settings) {
        String wanted = settings.text(RuntimeSettings.BACKEND);
        BackendProvider chosen = byName.get(wanted);
        if (chosen == null) {
            throw new RpcConfigurationException(
                    "no backend '%s' (%s, from %s); installed: %s; put the jar of another one on the %s"
                            .formatted(
                                    wanted,
                                    RuntimeSettings.BACKEND,
                                    settings.origin(RuntimeSettings.BACKEND),
                                    byName.keySet(),
                                    CodePath.of(Backends.class)));
        }
        chosen.obstacle(settings)
                .ifPresent(why -> {
                    throw new RpcConfigurationException(
                            "backend '%s' cannot run here: %s".formatted(wanted, why));
                });
        return chosen;
    }
}
