package org.gradwire.runtime.function;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.spi.Operator;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;

/**
 * A function that may be called remotely, as both sides know it.
 *
 * @param kind how it travels
 * @param name on the wire: an operator's name, or class, method and descriptor
 * @param nameBytes the name as UTF-8
 * @param schema what arguments it takes
 * @param named whether the names of its parameters are known, which keyword arguments need
 * @param parameterTypes as declared; boxed where nothing is an argument, too
 * @param declared the types with their arguments
 * @param defaults one for each parameter; null where an argument is required
 * @param async whether it returns a future of its result
 * @param scoped whether it keeps nothing, so that its memory ends with the call
 * @param retry what its author says of sending calls of it again; null for nothing
 * @param handle {@code (Object[])Object}; null for an operator
 * @param operator null for anything else
 */
public record RemoteFunction(
        FunctionKind kind,
        String name,
        byte[] nameBytes,
        FunctionSchema schema,
        boolean named,
        List<Class<?>> parameterTypes,
        DeclaredTypes declared,
        List<Defaults.@Nullable Source> defaults,
        boolean async,
        boolean scoped,
        @Nullable RetryPolicy retry,
        @Nullable MethodHandle handle,
        @Nullable Operator operator) {

    /** Run the function on this thread. */
    public @Nullable Object invoke(@Nullable Object[] args) throws Throwable {
        return handle != null
                ? handle.invokeExact(args)
                : Objects.requireNonNull(operator).apply(args);
    }

    /** {@return whether the function is so short with these arguments that a poller may run it} */
    public boolean light(@Nullable Object[] args) {
        return operator != null && operator.light(args);
    }
}
