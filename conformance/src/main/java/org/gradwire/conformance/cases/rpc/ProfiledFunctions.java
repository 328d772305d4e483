package org.gradwire.conformance.cases.rpc;

import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.Script;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

/** Remote functions for the profiler's cases. */
public final class ProfiledFunctions {

    private ProfiledFunctions() {}

    /** {@return whether a profiler records this call} */
    @RemoteCallable
    public static boolean isProfiled() {
        return Profiler.isOn();
    }

    /** Start a call that ends a scope of the caller when it completes. */
    @ScriptFunction
    public static Tensor callWithin(Scope scope, String to) {
        RpcFuture<Tensor> call =
                Rpc.current()
                        .rpcAsync(to, Call.to(ScriptFunctions::one_arg).args(Tensor.scalar(1)));
        return scope.endWhenDone(call).join();
    }

    @ScriptFunction
    public static Tensor scriptAddOnes(Tensor x) {
        return x.add(Tensor.ones(1));
    }

    /** Call twice within a scope, with a local operator in between. */
    @ScriptFunction
    public static Tensor callTwiceWithin(String to, String scope) {
        Tensor ones = Tensor.ones(1);
        try (Scope _ = Profiler.scope(scope)) {
            Call<Tensor> call = Call.to(ProfiledFunctions::scriptAddOnes).args(ones);
            RpcFuture<Tensor> first = Rpc.current().rpcAsync(to, call);
            Tensor zeros = ones.sub(ones);
            RpcFuture<Tensor> second = Rpc.current().rpcAsync(to, call);
            return first.join().add(second.join()).add(zeros);
        }
    }

    @ScriptFunction
    public static Tensor addOnesWithin(Tensor x, String scope) {
        try (Scope _ = Profiler.scope(scope)) {
            return x.add(Tensor.ones(1));
        }
    }

    /** Call a function that opens a scope. */
    @ScriptFunction
    public static Tensor callScopedFunction(String to, String scope) {
        return Rpc.current()
                .rpcAsync(to, Call.to(ProfiledFunctions::addOnesWithin).args(Tensor.ones(1), scope))
                .join();
    }

    /** Call in all call styles from script code. */
    @ScriptFunction
    public static Tensor callInAllModes(String to) {
        Rpc rpc = Rpc.current();
        Call<Tensor> call = Call.to(ProfiledFunctions::scriptAddOnes).args(Tensor.ones(1));
        Tensor sum = rpc.rpcSync(to, call).add(rpc.rpcAsync(to, call).join());
        try (RRef<Tensor> remote = rpc.remote(to, call)) {
            return sum.add(remote.toHere());
        }
    }

    @ScriptFunction
    public static int sleep(long millis) throws InterruptedException {
        Thread.sleep(millis);
        return 0;
    }

    /** Fork a task that ends a scope of the caller when it completes. */
    @ScriptFunction
    public static Tensor forkWithin(Scope scope) {
        Script script = Rpc.current().script();
        RpcFuture<Tensor> task = script.fork(Call.to(ScriptFunctions::addOne).args(Tensor.ones(1)));
        return scope.endWhenDone(task).join();
    }
}
