package org.gradwire.conformance.functions;

import org.gradwire.autograd.distributed.AutogradOps;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.Default;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.Script;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.List;

/** Script functions that compute locally, in a forked task, or on another worker. */
public final class ScriptFunctions {

    private ScriptFunctions() {}

    @ScriptFunction
    public static int noArg() {
        return 0;
    }

    @ScriptFunction
    public static Tensor addOne(Tensor value) {
        return value.add(1);
    }

    /** As {@link #addOne}, under the name that error messages contain. */
    @ScriptFunction
    @SuppressWarnings("MemberName")
    public static Tensor one_arg(Tensor value) {
        return value.add(1);
    }

    /** Violate the contract of an asynchronous function. */
    @ScriptFunction
    @AsyncExecution
    @SuppressWarnings("gradwire") // fails when it is called
    public static Tensor asyncWithoutFuture(Tensor value) {
        return value;
    }

    /** Wait for a future that plain code started. */
    @ScriptFunction
    public static Tensor await(RpcFuture<Tensor> future) {
        return future.join();
    }

    /** Start a call and return its future to plain code. */
    @ScriptFunction
    public static RpcFuture<Tensor> begin(String to, Tensor x, Tensor y) {
        return Rpc.current().rpcAsync(to, Call.to(ScriptFunctions::twoTwo).args(x, y));
    }

    /** Wait for a future that a plain function returned. */
    @ScriptFunction
    public static Tensor awaitPlain(String to) {
        return plainFuture(to).join();
    }

    private static RpcFuture<Tensor> plainFuture(String to) {
        return Rpc.current().rpcAsync(to, Ops::add, Tensor.ones(2, 2), 1);
    }

    @ScriptFunction
    public static Tensor add(Tensor x, Tensor y) {
        return x.add(y);
    }

    @ScriptFunction
    @SuppressWarnings("MemberName") // error messages contain the parameter names
    public static Tensor twoTwo(
            Tensor first_arg,
            Tensor second_arg,
            @Default("[3, 3]") Tensor first_kwarg,
            @Default("[4, 4]") Tensor second_kwarg) {
        return first_arg.add(second_arg).add(first_kwarg).add(second_kwarg);
    }

    @ScriptFunction
    @SuppressWarnings("MemberName") // callers pass arguments by name
    public static Assorted assorted(
            Tensor tensor_arg,
            String str_arg,
            int int_arg,
            @Default("[2, 2]") Tensor tensor_kwarg,
            @Default("str_kwarg") String str_kwarg,
            @Default("2") int int_kwarg) {
        return new Assorted(tensor_arg.add(tensor_kwarg), str_arg + str_kwarg, int_arg + int_kwarg);
    }

    @ScriptFunction
    @SuppressWarnings("DoNotCallSuggester") // called remotely only
    public static int raise() {
        throw new RpcException("Expected error");
    }

    @ScriptFunction
    public static Tensor raiseForTwo(Tensor value) {
        if (value.numel() == 2) {
            throw new IllegalArgumentException("Expected error");
        }
        return value.add(1);
    }

    /** Add one in a forked task, and wait for it. */
    @ScriptFunction
    public static Tensor forkWait(Tensor value) {
        Script script = Rpc.current().script();
        return script.fork(Call.to(ScriptFunctions::addOne).args(value)).join();
    }

    /** Fail in a forked task, and wait for it. */
    @ScriptFunction
    public static Tensor forkWaitThrow(Tensor value) {
        Script script = Rpc.current().script();
        return script.fork(Call.to(ScriptFunctions::raiseForTwo).args(value)).join();
    }

    /** Add on a third worker without blocking a thread of this one. */
    @ScriptFunction
    @AsyncExecution
    public static RpcFuture<Tensor> asyncAdd(String to, Tensor x, Tensor y) {
        return Rpc.current().rpcAsync(to, ScriptFunctions::add, x, y);
    }

    /** As {@link #asyncAdd}, but the other worker delays its reply. */
    @ScriptFunction
    @AsyncExecution
    public static RpcFuture<Integer> asyncHold(String to, String door, int value) {
        return Rpc.current().rpcAsync(to, ScriptFunctions::hold, door, value);
    }

    /** As {@link Gate#hold}. */
    @ScriptFunction
    public static int hold(String door, int value) throws InterruptedException {
        Gate.of(Rpc.current()).pass(door);
        return value;
    }

    /** Try to write a reference to a stream that is not a message. */
    @ScriptFunction
    public static boolean save(RRef<Tensor> rref) throws IOException {
        new ObjectOutputStream(OutputStream.nullOutputStream()).writeObject(rref);
        return true;
    }

    /** Try to call a plain function, which scripts cannot. */
    @ScriptFunction
    public static int callPlain(String to) {
        return Rpc.current().rpcAsync(to, CallFunctions::square, 3).join();
    }

    /** Run a backward pass in a context. */
    @ScriptFunction
    public static void distBackward(long contextId, Tensor loss) {
        AutogradOps.distBackward(contextId, List.of(loss), false);
    }
}
