package org.gradwire.nn.wire;

import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.ValueCodec;
import org.gradwire.spi.Worker;

import java.util.List;

/** Adds the codec of modules to workers. Made by {@link java.util.ServiceLoader}. */
public final class ModuleExtensionProvider implements RpcExtensionProvider {

    /** For {@link java.util.ServiceLoader}. */
    public ModuleExtensionProvider() {}

    @Override
    public String name() {
        return "nn";
    }

    @Override
    public RpcExtension create(Worker worker) {
        return new ModuleExtension(new ModuleCodec(worker));
    }

    private record ModuleExtension(ModuleCodec codec) implements RpcExtension {
        @Override
        public List<ValueCodec<?>> codecs() {
            return List.of(codec);
        }
    }
}
