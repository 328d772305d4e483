package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.config.JvmFlags;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.driver.SharedMemory;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Optional;

/** Creates the agents of the backend {@code tensorpipe}. */
public final class TensorPipeProvider implements BackendProvider {

    /** Constructor for {@link java.util.ServiceLoader}. */
    public TensorPipeProvider() {}

    @Override
    public String name() {
        return "tensorpipe";
    }

    @Override
    public List<Setting> settings() {
        return SettingKeys.ALL;
    }

    /**
     * {@inheritDoc} Does not check the room in a configured directory: the media driver reports a
     * lack of it.
     */
    @Override
    public Optional<String> obstacle(Settings settings) {
        Optional<String> obstacle = JvmFlags.obstacle().or(OperatingSystem::obstacle);
        return settings.find(SettingKeys.DIRECTORY).isPresent()
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
        return new TensorPipeAgent(
                context, TensorPipeOptions.read(context.settings(), context.self().name()));
    }
}
