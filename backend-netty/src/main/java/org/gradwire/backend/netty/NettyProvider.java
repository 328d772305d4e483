package org.gradwire.backend.netty;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;

import java.util.List;

/** Creates the agents of the backend {@code netty}. */
public final class NettyProvider implements BackendProvider {

    /** Constructor for {@link java.util.ServiceLoader}. */
    public NettyProvider() {}

    @Override
    public String name() {
        return "netty";
    }

    @Override
    public List<Setting> settings() {
        return SettingKeys.ALL;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        return new NettyAgent(
                context, NettyOptions.read(context.settings(), context.self().name()));
    }
}
