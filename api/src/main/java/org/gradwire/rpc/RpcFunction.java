package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.io.Serializable;

/**
 * A reference to a function that can be called on another worker: a method reference to a public
 * method marked {@link RemoteCallable}, {@link ScriptFunction} or {@link Builtin}.
 *
 * <p>Only the name of the method travels, never its code. The nested types are one functional
 * interface for each number of arguments; {@code Action} ones return nothing. They extend {@link
 * Serializable} so that a method reference can be traced back to its method; Java serialization is
 * never used to send one.
 *
 * @param <R> result type of the function
 */
public sealed interface RpcFunction<R extends @Nullable Object> extends Serializable {

    /** A function without arguments. */
    @FunctionalInterface
    non-sealed interface Function0<R extends @Nullable Object> extends RpcFunction<R> {
        /** Call the function on this thread, and return its result. */
        R call() throws Exception;
    }

    /** A function of one argument; also an instance method of {@code A} without arguments. */
    @FunctionalInterface
    non-sealed interface Function1<A extends @Nullable Object, R extends @Nullable Object>
            extends RpcFunction<R> {
        /** Call the function on this thread, and return its result. */
        R call(A a) throws Exception;
    }

    /** A function of two arguments. */
    @FunctionalInterface
    non-sealed interface Function2<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    R extends @Nullable Object>
            extends RpcFunction<R> {
        /** Call the function on this thread, and return its result. */
        R call(A a, B b) throws Exception;
    }

    /** A function of three arguments. */
    @FunctionalInterface
    non-sealed interface Function3<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            extends RpcFunction<R> {
        /** Call the function on this thread, and return its result. */
        R call(A a, B b, C c) throws Exception;
    }

    /** A function of four arguments. */
    @FunctionalInterface
    non-sealed interface Function4<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            extends RpcFunction<R> {
        /** Call the function on this thread, and return its result. */
        R call(A a, B b, C c, D d) throws Exception;
    }

    /** A function of five arguments. */
    @FunctionalInterface
    non-sealed interface Function5<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            extends RpcFunction<R> {
        /** Call the function on this thread, and return its result. */
        R call(A a, B b, C c, D d, E e) throws Exception;
    }

    /** A function of six arguments. */
    @FunctionalInterface
    non-sealed interface Function6<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            extends RpcFunction<R> {
        /** Call the function on this thread, and return its result. */
        R call(A a, B b, C c, D d, E e, F f) throws Exception;
    }

    /** An action without arguments. */
    @FunctionalInterface
    non-sealed interface Action0 extends RpcFunction<@Nullable Void> {
        /** Run the action on this thread. */
        void call() throws Exception;
    }

    /** An action of one argument. */
    @FunctionalInterface
    non-sealed interface Action1<A extends @Nullable Object> extends RpcFunction<@Nullable Void> {
        /** Run the action on this thread. */
        void call(A a) throws Exception;
    }

    /** An action of two arguments. */
    @FunctionalInterface
    non-sealed interface Action2<A extends @Nullable Object, B extends @Nullable Object>
            extends RpcFunction<@Nullable Void> {
        /** Run the action on this thread. */
        void call(A a, B b) throws Exception;
    }

    /** An action of three arguments. */
    @FunctionalInterface
    non-sealed interface Action3<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object>
            extends RpcFunction<@Nullable Void> {
        /** Run the action on this thread. */
        void call(A a, B b, C c) throws Exception;
    }

    /** An action of four arguments. */
    @FunctionalInterface
    non-sealed interface Action4<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object>
            extends RpcFunction<@Nullable Void> {
        /** Run the action on this thread. */
        void call(A a, B b, C c, D d) throws Exception;
    }

    /** An action of five arguments. */
    @FunctionalInterface
    non-sealed interface Action5<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object>
            extends RpcFunction<@Nullable Void> {
        /** Run the action on this thread. */
        void call(A a, B b, C c, D d, E e) throws Exception;
    }

    /** An action of six arguments. */
    @FunctionalInterface
    non-sealed interface Action6<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object>
            extends RpcFunction<@Nullable Void> {
        /** Run the action on this thread. */
        void call(A a, B b, C c, D d, E e, F f) throws Exception;
    }

    /**
     * An {@link AsyncExecution} function as a function of its future's value, made by {@link
     * #async(Function0)} and its overloads. Called locally, it waits for the future.
     */
    sealed interface AsyncReference permits AsyncReferences.Wrapper {

        /** {@return the function, which returns a future} */
        RpcFunction<?> function();
    }

    /** Return a function marked {@link AsyncExecution} as one of its future's value. */
    static <R extends @Nullable Object> Function0<R> async(
            Function0<? extends RpcFuture<R>> function) {
        return new AsyncReferences.Async0<>(function);
    }

    /** Return a function marked {@link AsyncExecution} as one of its future's value. */
    static <A extends @Nullable Object, R extends @Nullable Object> Function1<A, R> async(
            Function1<A, ? extends RpcFuture<R>> function) {
        return new AsyncReferences.Async1<>(function);
    }

    /** Return a function marked {@link AsyncExecution} as one of its future's value. */
    static <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            Function2<A, B, R> async(Function2<A, B, ? extends RpcFuture<R>> function) {
        return new AsyncReferences.Async2<>(function);
    }

    /** Return a function marked {@link AsyncExecution} as one of its future's value. */
    static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            Function3<A, B, C, R> async(Function3<A, B, C, ? extends RpcFuture<R>> function) {
        return new AsyncReferences.Async3<>(function);
    }

    /** Return a function marked {@link AsyncExecution} as one of its future's value. */
    static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            Function4<A, B, C, D, R> async(Function4<A, B, C, D, ? extends RpcFuture<R>> function) {
        return new AsyncReferences.Async4<>(function);
    }

    /** Return a function marked {@link AsyncExecution} as one of its future's value. */
    static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            Function5<A, B, C, D, E, R> async(
                    Function5<A, B, C, D, E, ? extends RpcFuture<R>> function) {
        return new AsyncReferences.Async5<>(function);
    }

    /** Return a function marked {@link AsyncExecution} as one of its future's value. */
    static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            Function6<A, B, C, D, E, F, R> async(
                    Function6<A, B, C, D, E, F, ? extends RpcFuture<R>> function) {
        return new AsyncReferences.Async6<>(function);
    }
}
