package org.gradwire.runtime.function;

import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Creates and runs references that peers sent. */
final class ReceivedReferences {

    private ReceivedReferences() {}

    static ReceivedReference of(ResolvedReference resolved) {
        boolean action = resolved.function().schema().returnType().equals("void");
        return action ? new ReceivedAction(resolved) : new ReceivedFunction(resolved);
    }

    static @Nullable Object invoke(ResolvedReference resolved, @Nullable Object... args)
            throws Exception {
        RemoteFunction function = resolved.function();
        @Nullable Object[] all =
                resolved.receiver() == null ? args : prepend(resolved.receiver(), args);
        Binder.checkReceived(function, all);
        try {
            return function.invoke(all);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object[] prepend(Object first, @Nullable Object[] rest) {
        var all = new @Nullable Object[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }
}
