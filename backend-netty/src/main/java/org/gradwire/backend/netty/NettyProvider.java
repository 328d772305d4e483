package org.gradwire.backend.netty;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;

import java.util.List;

/** Makes the agents of the backend {@code netty}. */
public final class NettyProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public NettyProvider() {}

    @Override
    public String name() {
        return "netty";
    }

    @Override
    public List<Setting> settings() {
        return Keys.ALL;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        return new NettyAgent(context, Options.read(context.settings()));
    }
}
