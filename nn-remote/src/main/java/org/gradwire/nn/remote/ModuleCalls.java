package org.gradwire.nn.remote;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcFunction.Function5;
import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls of methods of a module on its owner: {@code forward} and {@code forwardAsync}, each for
 * methods of up to four arguments in addition to the module; {@link Call} takes more, and keywords.
 *
 * {@snippet :
 * Tensor y = layer.forward(Linear::forward, x);
 * RpcFuture<Tensor> later = layer.forwardAsync(Linear::forward, x);
 * }
 *
 * <p>The compiler checks the method, its arguments and its result, and the module's type.
 *
 * @param <M> type of the module, or an interface of it
 */
public interface ModuleCalls<M> {

    /**
     * Call a method of the module and return at once.
     *
     * @param method method and its arguments, without the first one, which is the module
     * @return completes with the result or a failure, including that of the module's creation
     * @throws IllegalArgumentException when the arguments do not fit the method's schema or cannot
     *     be sent
     * @throws org.gradwire.rpc.RpcException when the module was closed
     */
    <R extends @Nullable Object> RpcFuture<R> forwardAsync(Call<R> method);

    /** Call a method of the module and wait for its result. */
    default <R extends @Nullable Object> R forward(Call<R> method) {
        return forwardAsync(method).join();
    }

    /** Call a method of the module without arguments and wait for its result. */
    default <R extends @Nullable Object> R forward(Function1<? super M, R> method) {
        return forward(Call.of(method));
    }

    /** Call a method of the module and wait for its result. */
    default <A extends @Nullable Object, R extends @Nullable Object> R forward(
            Function2<? super M, A, R> method, A a) {
        return forward(Call.of(method, a));
    }

    /** Call a method of the module with two arguments and wait for its result. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            R forward(Function3<? super M, A, B, R> method, A a, B b) {
        return forward(Call.of(method, a, b));
    }

    /** Call a method of the module with three arguments and wait for its result. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            R forward(Function4<? super M, A, B, C, R> method, A a, B b, C c) {
        return forward(Call.of(method, a, b, c));
    }

    /** Call a method of the module with four arguments and wait for its result. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            R forward(Function5<? super M, A, B, C, D, R> method, A a, B b, C c, D d) {
        return forward(Call.of(method, a, b, c, d));
    }

    /** Call a method of the module without arguments. */
    default <R extends @Nullable Object> RpcFuture<R> forwardAsync(Function1<? super M, R> method) {
        return forwardAsync(Call.of(method));
    }

    /** Call a method of the module. */
    default <A extends @Nullable Object, R extends @Nullable Object> RpcFuture<R> forwardAsync(
            Function2<? super M, A, R> method, A a) {
        return forwardAsync(Call.of(method, a));
    }

    /** Call a method of the module with two arguments. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RpcFuture<R> forwardAsync(Function3<? super M, A, B, R> method, A a, B b) {
        return forwardAsync(Call.of(method, a, b));
    }

    /** Call a method of the module with three arguments. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> forwardAsync(Function4<? super M, A, B, C, R> method, A a, B b, C c) {
        return forwardAsync(Call.of(method, a, b, c));
    }

    /** Call a method of the module with four arguments. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> forwardAsync(
                    Function5<? super M, A, B, C, D, R> method, A a, B b, C c, D d) {
        return forwardAsync(Call.of(method, a, b, c, d));
    }
}
