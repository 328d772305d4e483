package com.example.socket;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;

import java.util.List;

/** Creates the agents of backend {@code socket}. */
public final class SocketProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public SocketProvider() {}

    @Override
    public String name() {
        return "socket";
    }

    @Override
    public List<Setting> settings() {
        return Options.SETTINGS;
    }

    @Override
    public RpcAgent create(AgentContext context) {
        return new SocketAgent(context, Options.read(context.settings()));
    }
}
