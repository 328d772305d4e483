package org.gradwire.runtime.function;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;

/** References to remote functions on the wire: kind and name, and the receiver of a bound one. */
@SuppressWarnings("rawtypes") // the codec is of the raw type
public final class FunctionCodec implements ValueCodec<RpcFunction> {
    private final FunctionTable functions;

    public FunctionCodec(FunctionTable functions) {
        this.functions = functions;
    }

    @Override
    public String tag() {
        return "function";
    }

    @Override
    public Class<RpcFunction> type() {
        return RpcFunction.class;
    }

    /** Looking a method up loads its class. */
    @Override
    public boolean light() {
        return false;
    }

    @Override
    public void encode(RpcFunction value, Output out) {
        ResolvedReference resolved = functions.resolve((RpcFunction<?>) value);
        functions.requireSendable(resolved, ((WireOutput) out)::isBindable);
        out.writeInt(resolved.function().kind().code());
        out.writeString(resolved.function().name());
        out.writeValue(resolved.receiver());
    }

    @Override
    public RpcFunction decode(Input in) {
        FunctionKind kind = FunctionKind.ofCode(in.readInt());
        RemoteFunction function = functions.lookUp(kind, in.readString());
        return (RpcFunction) ReceivedReferences.of(new ResolvedReference(function, in.readValue()));
    }
}
