package org.gradwire.runtime.function;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.jspecify.annotations.Nullable;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;

/**
 * A reference to a function with a result that a peer sent, or that reflection found. It takes the
 * function's number of arguments.
 */
@SuppressWarnings("serial") // never serialized: see writeObject
final class ReceivedFunction
        implements ReceivedReference,
                RpcFunction.Function0<@Nullable Object>,
                RpcFunction.Function1<@Nullable Object, @Nullable Object>,
                RpcFunction.Function2<@Nullable Object, @Nullable Object, @Nullable Object>,
                RpcFunction.Function3<
                        @Nullable Object, @Nullable Object, @Nullable Object, @Nullable Object>,
                RpcFunction.Function4<
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object>,
                RpcFunction.Function5<
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object>,
                RpcFunction.Function6<
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object> {
    private final ResolvedReference resolved;

    ReceivedFunction(ResolvedReference resolved) {
        this.resolved = resolved;
    }

    @Override
    public ResolvedReference resolved() {
        return resolved;
    }

    @Override
    public @Nullable Object call() throws Exception {
        return ReceivedReferences.invoke(resolved);
    }

    @Override
    public @Nullable Object call(@Nullable Object a) throws Exception {
        return ReceivedReferences.invoke(resolved, a);
    }

    @Override
    public @Nullable Object call(@Nullable Object a, @Nullable Object b) throws Exception {
        return ReceivedReferences.invoke(resolved, a, b);
    }

    @Override
    public @Nullable Object call(@Nullable Object a, @Nullable Object b, @Nullable Object c)
            throws Exception {
        return ReceivedReferences.invoke(resolved, a, b, c);
    }

    @Override
    public @Nullable Object call(
            @Nullable Object a, @Nullable Object b, @Nullable Object c, @Nullable Object d)
            throws Exception {
        return ReceivedReferences.invoke(resolved, a, b, c, d);
    }

    @Override
    public @Nullable Object call(
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e)
            throws Exception {
        return ReceivedReferences.invoke(resolved, a, b, c, d, e);
    }

    @Override
    public @Nullable Object call(
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f)
            throws Exception {
        return ReceivedReferences.invoke(resolved, a, b, c, d, e, f);
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException("a remote function travels between workers only");
    }
}
