package org.gradwire.runtime.function;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.spi.Operator;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;

/**
 * A function that may be called remotely.
 *
 * @param kind determines its messages
 * @param name on the wire: an operator's name, or class, method and descriptor
 * @param nameBytes the name as UTF-8
 * @param schema its parameters and result
 * @param named whether the names of its parameters are known, for keyword arguments
 * @param parameterTypes as declared; boxed where null is an argument
 * @param declared the generic types
 * @param defaults one for each parameter; null where an argument is required
 * @param async whether it returns a future of its result
 * @param nonRetaining whether it keeps no argument, so that the memory of a call can be freed
 * @param retry the policy of its {@link org.gradwire.rpc.Retry}; null for none
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
        boolean nonRetaining,
        @Nullable RetryPolicy retry,
        @Nullable MethodHandle handle,
        @Nullable Operator operator) {

    /** Run the function on this thread. */
    public @Nullable Object invoke(@Nullable Object[] args) throws Throwable {
        return handle != null
                ? handle.invokeExact(args)
                : Objects.requireNonNull(operator).apply(args);
    }

    /** {@return whether a poller may run the function, which is short with these arguments} */
    public boolean runsOnPoller(@Nullable Object[] args) {
        return operator != null && operator.runsOnPoller(args);
    }
}
