package org.gradwire.runtime.call;

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
 * A function and its arguments, checked against its schema.
 *
 * @param args one for each parameter
 * @param onReferent whether the first argument is a reference whose value is passed
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
     * @param referent the reference on whose value a method is called; null for any other function
     * @param bindable whether a receiver may be sent with its method
     * @param codecs provide the codec of user functions that this thread uses
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
