package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.thread.ThreadScope;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The codecs registered with a worker, and the codec that each thread uses for its calls. Scopes do
 * not nest: the close of any scope restores the built-in codec, as in PyTorch.
 */
public final class UdfCodecs {
    private final Map<String, UdfCodec> byName = new TreeMap<>();
    private final ThreadLocal<@Nullable UdfCodec> inUse = new ThreadLocal<>();

    public UdfCodecs(List<UdfCodec> registered) {
        for (UdfCodec codec : registered) {
            UdfCodec twin = byName.put(codec.name(), codec);
            if (twin != null || codec.name().isEmpty()) {
                throw new RpcConfigurationException(
                        "codec '%s' of %s needs a name that no other has"
                                .formatted(codec.name(), codec.getClass().getName()));
            }
        }
    }

    public RpcScope use(String name) {
        UdfCodec codec = byName.get(name);
        if (codec == null) {
            throw new IllegalArgumentException(unknown(name));
        }
        inUse.set(codec);
        return new ThreadScope(inUse::remove);
    }

    /** {@return the codec that the calling thread's calls use; null for the built-in one} */
    @Nullable UdfCodec inUse(FunctionKind kind) {
        return kind == FunctionKind.USER ? inUse.get() : null;
    }

    /**
     * Return the codec that a peer used.
     *
     * @throws DecodingException if it is not registered
     */
    UdfCodec named(String name) {
        UdfCodec codec = byName.get(name);
        if (codec == null) {
            throw new DecodingException(unknown(name));
        }
        return codec;
    }

    private String unknown(String name) {
        return "there is no codec '%s' here, only %s; register it with RpcOptions.Builder.udfCodec on every worker that uses it"
                .formatted(name, byName.keySet());
    }
}
