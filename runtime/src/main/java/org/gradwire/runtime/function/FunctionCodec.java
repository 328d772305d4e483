package org.gradwire.runtime.function;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;

/** Encodes references to remote functions: kind, name, and the receiver of a bound one. */
@SuppressWarnings("rawtypes") // the codec is of the raw type
public final class FunctionCodec implements ValueCodec<RpcFunction> {
    private final FunctionTable functions;
    private final FunctionLookup received;

    /**
     * Create the codec of a worker.
     *
     * @param received finds the functions to which peers send references
     */
    public FunctionCodec(FunctionTable functions, FunctionLookup received) {
        this.functions = functions;
        this.received = received;
    }

    @Override
    public String tag() {
        return "function";
    }

    @Override
    public Class<RpcFunction> type() {
        return RpcFunction.class;
    }

    /** {@inheritDoc} False: the look-up of a method loads its class. */
    @Override
    public boolean runsOnPoller() {
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
        RemoteFunction function = received.lookUp(in.source(), kind, in.readString());
        return (RpcFunction) ReceivedReferences.of(new ResolvedReference(function, in.readValue()));
    }
}
