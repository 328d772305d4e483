package org.gradwire.rpc;

import org.gradwire.rpc.RpcFunction.Action0;
import org.gradwire.rpc.RpcFunction.Action1;
import org.gradwire.rpc.RpcFunction.Action2;
import org.gradwire.rpc.RpcFunction.Action3;
import org.gradwire.rpc.RpcFunction.Action4;
import org.gradwire.rpc.RpcFunction.Action5;
import org.gradwire.rpc.RpcFunction.Action6;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcFunction.Function5;
import org.gradwire.rpc.RpcFunction.Function6;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A function and its arguments, positional and by keyword.
 *
 * <p>Immutable: {@link #args} and {@link #kwarg} return new calls. Arguments are checked against
 * the function's {@link FunctionSchema} when the call is made, on the caller, and the defaults of
 * {@link Default} parameters are filled in there; {@link RemoteFunctions#bind} checks the
 * positional ones earlier.
 *
 * {@snippet :
 * Tensor sum = rpc.rpcSync("worker1", Call.to(Jobs::scale).args(x).kwarg("factor", 2.0));
 * Results<Tensor> sums = trainers.callAll(Call.to(Jobs::scale, x, 2.0)); // javac checks x and 2.0
 * }
 *
 * @param <R> result type of the function
 */
public final class Call<R extends @Nullable Object> {
    private final RpcFunction<R> function;
    private final @Nullable Object[] args; // args() wraps it in a list
    private final Map<String, @Nullable Object> kwargs;

    private Call(
            RpcFunction<R> function,
            @Nullable Object[] args,
            Map<String, @Nullable Object> kwargs) {
        this.function = function;
        this.args = args;
        this.kwargs = kwargs;
    }

    /** Return the call of a function or action with positional arguments. */
    public static <R extends @Nullable Object> Call<R> of(
            RpcFunction<R> function, @Nullable Object... args) {
        return new Call<>(function, args.clone(), Map.of());
    }

    /** Return the call of a function or action with an array of arguments that is not copied. */
    static <R extends @Nullable Object> Call<R> ofOwn(
            RpcFunction<R> function, @Nullable Object... args) {
        return new Call<>(function, args, Map.of());
    }

    /**
     * Return the call of a function without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <R extends @Nullable Object> Call<R> to(Function0<R> function) {
        return of(function);
    }

    /**
     * Return the call of a function without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <A extends @Nullable Object, R extends @Nullable Object> Call<R> to(
            Function1<A, R> function) {
        return of(function);
    }

    /**
     * Return the call of a function without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function2<A, B, R> function) {
        return of(function);
    }

    /**
     * Return the call of a function without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function3<A, B, C, R> function) {
        return of(function);
    }

    /**
     * Return the call of a function without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function4<A, B, C, D, R> function) {
        return of(function);
    }

    /**
     * Return the call of a function without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function5<A, B, C, D, E, R> function) {
        return of(function);
    }

    /**
     * Return the call of a function without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function6<A, B, C, D, E, F, R> function) {
        return of(function);
    }

    /**
     * Return the call of an action without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static Call<@Nullable Void> run(Action0 action) {
        return of(action);
    }

    /**
     * Return the call of an action without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <A extends @Nullable Object> Call<@Nullable Void> run(Action1<A> action) {
        return of(action);
    }

    /**
     * Return the call of an action without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <A extends @Nullable Object, B extends @Nullable Object> Call<@Nullable Void> run(
            Action2<A, B> action) {
        return of(action);
    }

    /**
     * Return the call of an action without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object>
            Call<@Nullable Void> run(Action3<A, B, C> action) {
        return of(action);
    }

    /**
     * Return the call of an action without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object>
            Call<@Nullable Void> run(Action4<A, B, C, D> action) {
        return of(action);
    }

    /**
     * Return the call of an action without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object>
            Call<@Nullable Void> run(Action5<A, B, C, D, E> action) {
        return of(action);
    }

    /**
     * Return the call of an action without arguments yet; add them with {@link #args} and {@link
     * #kwarg}.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object>
            Call<@Nullable Void> run(Action6<A, B, C, D, E, F> action) {
        return of(action);
    }

    /** Return the call of a function with its arguments, of the types of its parameters. */
    public static <A extends @Nullable Object, R extends @Nullable Object> Call<R> to(
            Function1<A, R> function, A a) {
        return ofOwn(function, a);
    }

    /** Return the call of a function with its arguments, of the types of its parameters. */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function2<A, B, R> function, A a, B b) {
        return ofOwn(function, a, b);
    }

    /** Return the call of a function with its arguments, of the types of its parameters. */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function3<A, B, C, R> function, A a, B b, C c) {
        return ofOwn(function, a, b, c);
    }

    /** Return the call of a function with its arguments, of the types of its parameters. */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            Call<R> to(Function4<A, B, C, D, R> function, A a, B b, C c, D d) {
        return ofOwn(function, a, b, c, d);
    }

    /** Return the call of an action with its arguments, of the types of its parameters. */
    public static <A extends @Nullable Object> Call<@Nullable Void> run(Action1<A> action, A a) {
        return ofOwn(action, a);
    }

    /** Return the call of an action with its arguments, of the types of its parameters. */
    public static <A extends @Nullable Object, B extends @Nullable Object> Call<@Nullable Void> run(
            Action2<A, B> action, A a, B b) {
        return ofOwn(action, a, b);
    }

    /** Return the call of an action with its arguments, of the types of its parameters. */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object>
            Call<@Nullable Void> run(Action3<A, B, C> action, A a, B b, C c) {
        return ofOwn(action, a, b, c);
    }

    /** Return the call of an action with its arguments, of the types of its parameters. */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object>
            Call<@Nullable Void> run(Action4<A, B, C, D> action, A a, B b, C c, D d) {
        return ofOwn(action, a, b, c, d);
    }

    /** Return this call with other positional arguments. */
    public Call<R> args(@Nullable Object... newArgs) {
        return new Call<>(function, newArgs.clone(), kwargs);
    }

    /** Return this call with one more keyword argument. */
    public Call<R> kwarg(String name, @Nullable Object value) {
        return kwargs(Collections.singletonMap(name, value));
    }

    /** Return this call with more keyword arguments. */
    public Call<R> kwargs(Map<String, ? extends @Nullable Object> more) {
        var all = new LinkedHashMap<String, @Nullable Object>(kwargs);
        all.putAll(more);
        return new Call<>(function, args, Collections.unmodifiableMap(all));
    }

    /** {@return the function to call} */
    public RpcFunction<R> function() {
        return function;
    }

    /** {@return the positional arguments, in order} */
    public List<@Nullable Object> args() {
        return Collections.unmodifiableList(Arrays.<@Nullable Object>asList(args));
    }

    /** {@return the keyword arguments, in the order they were given} */
    public Map<String, @Nullable Object> kwargs() {
        return kwargs;
    }
}
