package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Optional;

/** Makes the agents of the backend {@code tensorpipe}. */
public final class TensorPipeProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public TensorPipeProvider() {}

    @Override
    public String name() {
        return "tensorpipe";
    }

    @Override
    public List<Setting> settings() {
        return Keys.ALL;
    }

    /** In a directory of the user's choice there is room, or the media driver says so. */
    @Override
    public Optional<String> obstacle(Settings settings) {
        Optional<String> obstacle = JvmFlags.obstacle().or(OperatingSystem::obstacle);
        return settings.find(Keys.DIRECTORY).isPresent()
                ? obstacle
                : obstacle.or(SharedMemory::obstacle);
    }

    @Override
    public RpcAgent create(AgentContext context) {
        JvmFlags.obstacle()
                .ifPresent(why -> {
                    throw new RpcConfigurationException(
                            "backend 'tensorpipe' cannot run here: " + why);
                });
        return new TensorPipeAgent(context, Options.read(context.settings()));
    }
}
