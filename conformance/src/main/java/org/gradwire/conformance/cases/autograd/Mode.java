package org.gradwire.conformance.cases.autograd;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;

/** The way to run a function: locally, or remotely by one of the call styles. */
enum Mode {
    LOCAL,
    SYNC,
    ASYNC,
    REMOTE;

    /** Run a function. */
    <A, R> R run(Rpc rpc, String to, Function1<A, R> function, A a) throws Exception {
        return this == LOCAL ? function.call(a) : run(rpc, to, Call.of(function, a));
    }

    /** Run a function. */
    <A, B, R> R run(Rpc rpc, String to, Function2<A, B, R> function, A a, B b) throws Exception {
        return this == LOCAL ? function.call(a, b) : run(rpc, to, Call.of(function, a, b));
    }

    /** Run a function. */
    <A, B, C, R> R run(Rpc rpc, String to, Function3<A, B, C, R> function, A a, B b, C c)
            throws Exception {
        return this == LOCAL ? function.call(a, b, c) : run(rpc, to, Call.of(function, a, b, c));
    }

    /** Make a call, which cannot be local. */
    <R> R run(Rpc rpc, String to, Call<R> call) {
        return switch (this) {
            case SYNC -> rpc.rpcSync(to, call);
            case ASYNC -> rpc.rpcAsync(to, call).join();
            case REMOTE -> {
                try (RRef<R> rref = rpc.remote(to, call)) {
                    yield rref.toHere();
                }
            }
            case LOCAL -> throw new IllegalArgumentException("a call needs another worker");
        };
    }
}
