package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Method;

/**
 * Schemas of remote functions, and calls checked against them before they are made. For frameworks;
 * programs write method references, and each call is checked when it is made. Thread-safe; needs no
 * worker.
 */
public final class RemoteFunctions {

    private RemoteFunctions() {}

    /**
     * Return the schema of a remote function.
     *
     * @throws IllegalArgumentException when the function is not a reference to a method that may be
     *     called remotely
     */
    public static FunctionSchema schema(RpcFunction<?> function) {
        return RpcProvider.installed().schema(function);
    }

    /**
     * Return a reference to a method found by reflection.
     *
     * @return a function of the method's arguments; of an instance method, the receiver is the
     *     first
     * @throws TypeMismatchException when the method may not be called remotely; the message says
     *     why
     */
    public static RpcFunction<? extends @Nullable Object> reference(Method method) {
        return RpcProvider.installed().function(method);
    }

    /**
     * Check now that the positional arguments and the keywords of a call cover the function's
     * schema. Whether each keyword exists is checked when the call is made.
     *
     * @return the call
     * @throws IllegalArgumentException if there are too many positional arguments, or an argument
     *     without a default is missing
     */
    public static <R extends @Nullable Object> Call<R> bind(Call<R> call) {
        RpcProvider.installed().checkBinding(call);
        return call;
    }

    /**
     * Return a call with one positional argument for each parameter: keywords in their positions,
     * defaults filled in, numbers widened to their parameters' types.
     *
     * @throws IllegalArgumentException when the arguments do not fit the function's schema
     */
    public static <R extends @Nullable Object> Call<R> positional(Call<R> call) {
        return Call.ofOwn(call.function(), RpcProvider.installed().arguments(call).toArray());
    }

    /**
     * Return a call of a method of a reference's value with one positional argument for each
     * parameter, as {@link #positional(Call)}. The value itself is not one of the arguments.
     */
    public static <R extends @Nullable Object> Call<R> positional(Call<R> method, RRef<?> value) {
        return Call.ofOwn(
                method.function(), RpcProvider.installed().arguments(method, value).toArray());
    }
}
