package org.gradwire.nn.remote;

import org.gradwire.nn.remote.RemoteModuleCodec.ProxyCodec;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.ValueCodec;
import org.gradwire.spi.Worker;

import java.util.List;

/** Adds the codec of remote modules to workers. Made by {@link java.util.ServiceLoader}. */
public final class RemoteModuleExtensionProvider implements RpcExtensionProvider {

    /** For {@link java.util.ServiceLoader}. */
    public RemoteModuleExtensionProvider() {}

    @Override
    public String name() {
        return "nn-remote";
    }

    @Override
    public RpcExtension create(Worker worker) {
        return new RemoteModuleExtension(worker);
    }

    private record RemoteModuleExtension(Worker worker) implements RpcExtension {
        @Override
        public List<ValueCodec<?>> codecs() {
            return List.of(new RemoteModuleCodec(worker.rpc()), new ProxyCodec());
        }
    }
}
