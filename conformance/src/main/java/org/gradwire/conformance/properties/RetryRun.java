package org.gradwire.conformance.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.RetryFunctions;
import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.conformance.properties.RetryProgram.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/** Runs a {@link RetryProgram} and checks how often each call has run. */
final class RetryRun {
    private static final Set<RpcErrorKind> EXPECTED =
            EnumSet.of(RpcErrorKind.TIMEOUT, RpcErrorKind.CANCELLED);

    private final WorkerGroup group;
    private final List<Made> made = new ArrayList<>();

    /** A started call, and how to wait for its result. */
    private record Made(Call call, String key, Callable<Integer> result, Runnable close) {}

    RetryRun(WorkerGroup group) {
        this.group = group;
    }

    void run(RetryProgram program) throws Exception {
        program.calls().forEach(this::make);
        List<Boolean> succeeded = new ArrayList<>();
        for (Made each : made) {
            succeeded.add(succeeds(each));
        }
        made.forEach(each -> each.close.run());
        for (int i = 0; i < made.size(); i++) {
            assertRuns(made.get(i), succeeded.get(i));
        }
    }

    /** Check again once nothing is pending: late requests must not run. */
    void assertRunsAtTheEnd() {
        made.forEach(each -> assertRuns(each, false));
    }

    private void assertRuns(Made each, boolean hasSucceeded) {
        int runs = RetryFunctions.of(group.rpc(each.call.worker())).runs(each.key);
        assertTrue(
                hasSucceeded ? runs == 1 : runs <= 1,
                () -> "%s ran %d times; succeeded: %s".formatted(each.call, runs, hasSucceeded));
    }

    private static boolean succeeds(Made each) throws Exception {
        try {
            assertEquals(1, each.result.call());
            return true;
        } catch (RpcException e) {
            assertTrue(EXPECTED.contains(e.kind()), () -> each.call + ": " + e);
            return false;
        }
    }

    private void make(Call call) {
        String key = "retried " + group.nextNumber();
        String to = "worker" + call.worker();
        RpcCalls calls =
                group.rpc(0)
                        .withRetry(
                                new RetryPolicy(
                                        call.retries(),
                                        Duration.ofMillis(1),
                                        1.2,
                                        Duration.ofMillis(call.attemptMillis())));
        switch (call.way()) {
            case SYNC ->
                    add(call, key, () -> calls.rpcSync(to, RetryFunctions::count, key), () -> {});
            case ASYNC -> begun(call, key, calls.rpcAsync(to, RetryFunctions::count, key));
            case SCRIPT -> begun(call, key, calls.rpcAsync(to, RetryFunctions::countInScript, key));
            case LATER ->
                    begun(
                            call,
                            key,
                            calls.rpcAsync(to, RpcFunction.async(RetryFunctions::countLater), key));
            case REMOTE -> {
                RRef<Integer> rref = calls.remote(to, RetryFunctions::count, key);
                Callable<Integer> confirmed =
                        () -> {
                            rref.confirmation().join();
                            return 1;
                        };
                add(call, key, confirmed, rref::close);
            }
        }
    }

    private void begun(Call call, String key, RpcFuture<Integer> future) {
        if (call.cancelled()) {
            var _ = future.cancel();
        }
        add(call, key, future::join, () -> {});
    }

    private void add(Call call, String key, Callable<Integer> result, Runnable close) {
        made.add(new Made(call, key, result, close));
    }
}
