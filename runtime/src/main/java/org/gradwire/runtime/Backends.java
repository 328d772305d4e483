package org.gradwire.runtime;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The installed backends by name. */
final class Backends {
    private final Map<String, BackendProvider> byName = new TreeMap<>();

    Backends(List<BackendProvider> providers) {
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

    List<Setting> settings() {
        return byName.values().stream().flatMap(provider -> provider.settings().stream()).toList();
    }

    /**
     * Return where buffers are to be received.
     *
     * @throws RpcConfigurationException when more than one extension says so
     */
    static BufferAllocator allocator(List<RpcExtension> extensions) {
        List<BufferAllocator> found =
                extensions.stream().flatMap(extension -> extension.allocator().stream()).toList();
        if (found.size() > 1) {
            throw new RpcConfigurationException(
                    "%d extensions want to allocate the buffers of messages; leave one on the module path"
                            .formatted(found.size()));
        }
        return found.isEmpty() ? BufferAllocator.plain() : found.getFirst();
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
                    "no backend '%s' (%s, from %s); installed: %s"
                            .formatted(
                                    wanted,
                                    RuntimeSettings.BACKEND,
                                    settings.origin(RuntimeSettings.BACKEND),
                                    byName.keySet()));
        }
        chosen.obstacle()
                .ifPresent(why -> {
                    throw new RpcConfigurationException(
                            "backend '%s' cannot run here: %s".formatted(wanted, why));
                });
        return chosen;
    }
}
