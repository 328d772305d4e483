package org.gradwire.runtime.function;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.jspecify.annotations.Nullable;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;

/**
 * A reference to an action that a peer sent, or that reflection found. It takes the action's number
 * of arguments.
 */
@SuppressWarnings("serial") // never serialized: see writeObject
final class ReceivedAction
        implements ReceivedReference,
                RpcFunction.Action0,
                RpcFunction.Action1<@Nullable Object>,
                RpcFunction.Action2<@Nullable Object, @Nullable Object>,
                RpcFunction.Action3<@Nullable Object, @Nullable Object, @Nullable Object>,
                RpcFunction.Action4<
                        @Nullable Object, @Nullable Object, @Nullable Object, @Nullable Object>,
                RpcFunction.Action5<
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object>,
                RpcFunction.Action6<
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object,
                        @Nullable Object> {
    private final ResolvedReference resolved;

    ReceivedAction(ResolvedReference resolved) {
        this.resolved = resolved;
    }

    @Override
    public ResolvedReference resolved() {
        return resolved;
    }

    @Override
    public void call() throws Exception {
        ReceivedReferences.invoke(resolved);
    }

    @Override
    public void call(@Nullable Object a) throws Exception {
        ReceivedReferences.invoke(resolved, a);
    }

    @Override
    public void call(@Nullable Object a, @Nullable Object b) throws Exception {
        ReceivedReferences.invoke(resolved, a, b);
    }

    @Override
    public void call(@Nullable Object a, @Nullable Object b, @Nullable Object c) throws Exception {
        ReceivedReferences.invoke(resolved, a, b, c);
    }

    @Override
    public void call(@Nullable Object a, @Nullable Object b, @Nullable Object c, @Nullable Object d)
            throws Exception {
        ReceivedReferences.invoke(resolved, a, b, c, d);
    }

    @Override
    public void call(
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e)
            throws Exception {
        ReceivedReferences.invoke(resolved, a, b, c, d, e);
    }

    @Override
    public void call(
            @Nullable Object a,
            @Nullable Object b,
            @Nullable Object c,
            @Nullable Object d,
            @Nullable Object e,
            @Nullable Object f)
            throws Exception {
        ReceivedReferences.invoke(resolved, a, b, c, d, e, f);
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException("a remote function travels between workers only");
    }
}
