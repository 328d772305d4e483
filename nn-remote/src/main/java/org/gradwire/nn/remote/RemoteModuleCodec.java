package org.gradwire.nn.remote;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;

import java.util.ArrayList;
import java.util.List;

/**
 * Remote modules on the wire: their attributes in PyTorch's order, with a fork of the reference.
 */
@SuppressWarnings("rawtypes") // the codec is of the raw type
final class RemoteModuleCodec implements ValueCodec<RemoteModule> {
    private static final int MOST_METHODS = 16;

    private final Rpc rpc;

    RemoteModuleCodec(Rpc rpc) {
        this.rpc = rpc;
    }

    @Override
    public String tag() {
        return "remote-module";
    }

    @Override
    public Class<RemoteModule> type() {
        return RemoteModule.class;
    }

    @Override
    public boolean runsOnPoller() {
        return true;
    }

    @Override
    public void encode(RemoteModule value, Output out) {
        RemoteModule<?> module = value;
        if (out.destination() == Output.NOWHERE) {
            throw new RpcException(RemoteModule.NOT_SERIALIZABLE);
        }
        requireSendable(module);
        out.writeString(module.on());
        out.writeString(module.device());
        out.writeBoolean(module.isDeviceMapSet());
        out.writeBoolean(module.isScriptable());
        out.writeInt(RemoteModule.GENERATED_METHODS.size());
        RemoteModule.GENERATED_METHODS.forEach(out::writeString);
        out.writeValue(module.moduleRRef());
    }

    /** Reject modules used through an interface, which the receiver may not have. */
    static void requireSendable(RemoteModule<?> module) {
        if (module.isScriptable()) {
            throw new RpcException(
                    "a RemoteModule that is used through an interface cannot be sent; send its moduleRRef(), and create a handle from it with RemoteModule.initFromModuleRRef");
        }
    }

    @Override
    public RemoteModule decode(Input in) {
        if (in.source() == Output.NOWHERE) {
            throw new RpcException(RemoteModule.NOT_DESERIALIZABLE);
        }
        String on = in.readString();
        String device = in.readString();
        boolean senderMapsDevices = in.readBoolean();
        boolean scriptable = in.readBoolean();
        int count = in.readCount(MOST_METHODS);
        List<String> methods = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            methods.add(in.readString());
        }
        if (scriptable || !methods.equals(RemoteModule.GENERATED_METHODS)) {
            throw new DecodingException(
                    "a remote module came with methods %s (of an interface: %s, device map: %s), which has %s here"
                            .formatted(
                                    methods,
                                    scriptable,
                                    senderMapsDevices,
                                    RemoteModule.GENERATED_METHODS));
        }
        if (!(in.readValue() instanceof RRef<?> module)) {
            throw new DecodingException("a remote module came without a reference to its module");
        }
        return RemoteModule.received(rpc, on, device, module);
    }

    /** Rejects proxies, since their modules are used through an interface. */
    static final class ProxyCodec implements ValueCodec<RemoteProxy> {

        @Override
        public String tag() {
            return "remote-module-proxy";
        }

        @Override
        public Class<RemoteProxy> type() {
            return RemoteProxy.class;
        }

        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void encode(RemoteProxy value, Output out) {
            if (out.destination() == Output.NOWHERE) {
                throw new RpcException(RemoteModule.NOT_SERIALIZABLE);
            }
            requireSendable(value.remoteModule());
        }

        @Override
        public RemoteProxy decode(Input in) {
            throw new DecodingException("a proxy of a remote module cannot have been sent");
        }
    }
}
