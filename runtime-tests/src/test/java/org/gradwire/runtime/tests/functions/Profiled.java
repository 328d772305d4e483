package org.gradwire.runtime.tests.functions;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** Functions to profile. */
public final class Profiled {

    private Profiled() {}

    @RemoteCallable
    public static boolean isOn() {
        return Profiler.isOn();
    }

    @ScriptFunction
    public static Tensor addOne(Tensor x) {
        return x.add(1);
    }

    /** Make a chain of nested calls over the workers. */
    @RemoteCallable
    public static Tensor addAround(Tensor x, int hops) {
        if (hops == 0) {
            return x.add(1);
        }
        return Rpc.current().rpcSync(next(), Profiled::addAround, x, hops - 1);
    }

    /** Add on the next worker, and multiply the sum here. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Tensor> addThenMultiply(Tensor x) {
        RpcFuture<Tensor> sum = Rpc.current().rpcAsync(next(), Ops::add, x, x);
        return sum.then(done -> {
            try (Scope _ = Profiler.scope("later")) {
                return done.value().mul(x);
            }
        });
    }

    @RemoteCallable
    public static Tensor addAndFail(Tensor x) {
        throw new IllegalStateException("failed after " + x.add(1));
    }

    private static String next() {
        Rpc rpc = Rpc.current();
        return rpc.worker((rpc.self().id() + 1) % rpc.workers().size()).name();
    }
}
