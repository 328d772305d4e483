package org.gradwire.conformance.functions;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

/** Functions with several marks, which tell by what they do as which of them they were run. */
public final class MarkedTwice {

    private MarkedTwice() {}

    /** Run as the operator it negates; run as the method it adds. */
    @Builtin("aten::neg")
    @ScriptFunction
    @RemoteCallable
    public static Tensor negateOrAdd(Tensor value) {
        return value.add(100);
    }

    /** Fail, on a worker that does not own the value, with the text of how it is run. */
    @ScriptFunction
    @RemoteCallable
    public static Tensor scriptOrPlain(RRef<Tensor> rref) {
        return rref.localValue();
    }

    /** As {@link #scriptOrPlain}, with one mark only. */
    @RemoteCallable
    public static Tensor plain(RRef<Tensor> rref) {
        return rref.localValue();
    }
}
