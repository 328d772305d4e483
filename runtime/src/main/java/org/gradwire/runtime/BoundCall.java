package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.function.RemoteFunction;
import org.jspecify.annotations.Nullable;

import java.util.function.Predicate;

/**
 * A function and what it is called with, checked against its schema.
 *
 * @param args one for each parameter
 * @param onReferent whether the first argument is a reference, which stands for its value
 * @param codec writes the arguments and reads the result; null for the built-in one
 */
record BoundCall(
        RemoteFunction function,
        @Nullable Object[] args,
        boolean onReferent,
        @Nullable UdfCodec codec) {

    /**
     * Bind a call.
     *
     * @param referent reference to the value whose method it is; null for any other function
     * @param bindable which receivers may be sent with their method
     * @param codecs of which the one in use takes calls of user functions
     * @throws IllegalArgumentException when the arguments do not fit
     */
    static BoundCall of(
            FunctionTable functions,
            Call<?> call,
            @Nullable RRef<?> referent,
            Predicate<Object> bindable,
            UdfCodecs codecs) {
        ResolvedReference target = functions.resolve(call.function());
        FunctionTable.requireValue(target);
        functions.requireSendable(target, bindable);
        if (ScriptRunner.inScript()) {
            ScriptRunner.requireScript(target.function());
        }
        @Nullable Object[] args =
                referent != null
                        ? Binder.bindMethod(target, referent, call)
                        : Binder.bind(target, call);
        return new BoundCall(
                target.function(), args, referent != null, codecs.inUse(target.function().kind()));
    }
}
