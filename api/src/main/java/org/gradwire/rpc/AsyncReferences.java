package org.gradwire.rpc;

import org.gradwire.rpc.RpcFunction.AsyncReference;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcFunction.Function5;
import org.gradwire.rpc.RpcFunction.Function6;
import org.jspecify.annotations.Nullable;

/** The functions that {@link RpcFunction#async} returns, one class for each number of arguments. */
final class AsyncReferences {

    private AsyncReferences() {}

    sealed interface Wrapper extends AsyncReference
            permits Async0, Async1, Async2, Async3, Async4, Async5, Async6 {}

    record Async0<R extends @Nullable Object>(Function0<? extends RpcFuture<R>> function)
            implements Function0<R>, Wrapper {
        @Override
        public R call() throws Exception {
            return function.call().join();
        }
    }

    record Async1<A extends @Nullable Object, R extends @Nullable Object>(
            Function1<A, ? extends RpcFuture<R>> function) implements Function1<A, R>, Wrapper {
        @Override
        public R call(A a) throws Exception {
            return function.call(a).join();
        }
    }

    record Async2<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    R extends @Nullable Object>(
            Function2<A, B, ? extends RpcFuture<R>> function)
            implements Function2<A, B, R>, Wrapper {
        @Override
        public R call(A a, B b) throws Exception {
            return function.call(a, b).join();
        }
    }

    record Async3<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>(
            Function3<A, B, C, ? extends RpcFuture<R>> function)
            implements Function3<A, B, C, R>, Wrapper {
        @Override
        public R call(A a, B b, C c) throws Exception {
            return function.call(a, b, c).join();
        }
    }

    record Async4<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>(
            Function4<A, B, C, D, ? extends RpcFuture<R>> function)
            implements Function4<A, B, C, D, R>, Wrapper {
        @Override
        public R call(A a, B b, C c, D d) throws Exception {
            return function.call(a, b, c, d).join();
        }
    }

    record Async5<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>(
            Function5<A, B, C, D, E, ? extends RpcFuture<R>> function)
            implements Function5<A, B, C, D, E, R>, Wrapper {
        @Override
        public R call(A a, B b, C c, D d, E e) throws Exception {
            return function.call(a, b, c, d, e).join();
        }
    }

    record Async6<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>(
            Function6<A, B, C, D, E, F, ? extends RpcFuture<R>> function)
            implements Function6<A, B, C, D, E, F, R>, Wrapper {
        @Override
        public R call(A a, B b, C c, D d, E e, F f) throws Exception {
            return function.call(a, b, c, d, e, f).join();
        }
    }
}
