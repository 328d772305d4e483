package org.gradwire.conformance.cases.rpc;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

/** Remote functions with several annotations; the result shows which one was used. */
public final class MarkedTwice {

    private MarkedTwice() {}

    /** Negate if run as an operator, add if run as a method. */
    @Builtin("aten::neg")
    @ScriptFunction
    @RemoteCallable
    public static Tensor negateOrAdd(Tensor value) {
        return value.add(100);
    }

    /**
     * Fail on a worker that does not own the value, with a message that names the execution mode.
     */
    @ScriptFunction
    @RemoteCallable
    public static Tensor scriptOrPlain(RRef<Tensor> rref) {
        return rref.localValue();
    }

    /** As {@link #scriptOrPlain}, with one annotation. */
    @RemoteCallable
    public static Tensor plain(RRef<Tensor> rref) {
        return rref.localValue();
    }
}
