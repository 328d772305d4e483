package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.function.RemoteFunction;
import org.jspecify.annotations.Nullable;

/**
 * A function and what it is called with, checked against its schema.
 *
 * @param args one for each parameter
 * @param onReferent whether the first argument is a reference, which stands for its value
 */
record BoundCall(RemoteFunction function, @Nullable Object[] args, boolean onReferent) {

    /**
     * Bind a call.
     *
     * @param referent reference to the value whose method it is; null for any other function
     * @throws IllegalArgumentException when the arguments do not fit
     */
    static BoundCall of(FunctionTable functions, Call<?> call, @Nullable RRef<?> referent) {
        ResolvedReference target = functions.resolve(call.function());
        if (ScriptRunner.inScript()) {
            ScriptRunner.requireScript(target.function());
        }
        return referent == null
                ? new BoundCall(target.function(), Binder.bind(target, call), false)
                : new BoundCall(target.function(), Binder.bindMethod(target, referent, call), true);
    }
}
