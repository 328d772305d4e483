package org.gradwire.runtime.workers;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.call.WorkerCalls;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The calls of the members of a group.
 *
 * @param futures in the order of the members
 */
record StartedCalls<R extends @Nullable Object>(
        WorkerCalls calls, List<WorkerInfo> members, List<CallFuture<R>> futures) {

    /**
     * Start a call of each member.
     *
     * @throws IllegalArgumentException if arguments cannot be sent; no call is left then
     */
    static <R extends @Nullable Object> StartedCalls<R> start(
            WorkerCalls calls,
            List<WorkerInfo> members,
            IntFunction<Call<R>> eachCall,
            CallOptions options) {
        var started = new StartedCalls<R>(calls, members, new ArrayList<>(members.size()));
        boolean done = false;
        try {
            for (int i = 0; i < members.size(); i++) {
                Call<R> call = eachCall.apply(i);
                started.futures.add(start(calls, members.get(i), call, options));
            }
            done = true;
        } finally {
            if (!done) {
                started.cancel();
            }
        }
        return started;
    }

    /** Start a call; a member that has left fails it. */
    private static <R extends @Nullable Object> CallFuture<R> start(
            WorkerCalls calls, WorkerInfo member, Call<R> call, CallOptions options) {
        WorkerInfo present;
        try {
            present = calls.destination(member.name());
        } catch (RpcException left) {
            CallFuture<R> failed = calls.newFuture();
            failed.fail(left);
            return failed;
        }
        return calls.start(present, call, options);
    }

    int size() {
        return members.size();
    }

    /** Cancel the calls that still run. */
    void cancel() {
        futures.forEach(CallFuture::cancel);
    }
}
