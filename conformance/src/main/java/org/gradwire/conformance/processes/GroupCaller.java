package org.gradwire.conformance.processes;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerGroup.FailureRule;
import org.gradwire.rpc.WorkerGroup.MembersFailedException;
import org.gradwire.rpc.WorkerGroup.Results;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Program of a worker that calls all others together while the last one is killed. Reads commands
 * and replies to each with a line: {@code all} calls them and sends them a tensor, {@code begin}
 * starts calls that only the last member does not end, {@code begun} waits until it has begun its
 * calls, and {@code end} waits for them.
 */
public final class GroupCaller {
    private static final int CALLS = 2;

    private final Rpc rpc;
    private final WorkerGroup others;
    private final String last;
    private RpcFuture<Results<Integer>> all;
    private RpcFuture<Results<Integer>> quorum;

    private GroupCaller(Rpc rpc) {
        this.rpc = rpc;
        others = rpc.workers("worker?").slice(1, rpc.workers().size());
        last = others.names().getLast();
        all = rpc.promise();
        quorum = rpc.promise();
    }

    /** The calls that a worker has begun and does not end. */
    private static final class Begun {
        private final CountDownLatch calls = new CountDownLatch(CALLS);
    }

    private static Begun begun(Rpc rpc) {
        return rpc.locals().get(Begun.class, Begun::new);
    }

    /** Return the id of this worker; one worker never returns. */
    @RemoteCallable
    public static int idUnless(String hanging) throws InterruptedException {
        Rpc here = Rpc.current();
        if (here.self().name().equals(hanging)) {
            begun(here).calls.countDown();
            ProcessFunctions.hang();
        }
        return here.self().id();
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new GroupCaller(rpc)::obey);
    }

    private String obey(String[] words) throws InterruptedException {
        return switch (words[0]) {
            case "all" -> ids() + " " + copies();
            case "begin" -> begin();
            case "begun" -> {
                begun(rpc).calls.await();
                yield "here";
            }
            case "end" -> end();
            default -> throw CommandLoop.unknown(words);
        };
    }

    private String ids() {
        return "ids=" + others.callAll(Call.to(ProcessFunctions::id)).values();
    }

    private String copies() {
        List<RRef<Tensor>> copies = others.broadcast(Tensor.ones(2));
        Results<Tensor> twice =
                others.callAll(i -> Call.to(ProcessFunctions::twice, copies.get(i)));
        copies.forEach(RRef::close);
        return "copies=" + twice.values();
    }

    private String begin() {
        Call<Integer> call = Call.to(GroupCaller::idUnless, last);
        all = others.withoutTimeout().callAllAsync(call);
        quorum = others.withoutTimeout().callAllAsync(call, FailureRule.quorum(others.size()));
        return "done";
    }

    private String end() {
        FailureRule rest = FailureRule.quorum(others.size() - 1);
        return "all=%s quorum=%s rest=%s broadcast=%s"
                .formatted(
                        failure(all::join),
                        failure(quorum::join),
                        others.callAll(Call.to(ProcessFunctions::id), rest).values(),
                        failure(() -> others.broadcast(1)));
    }

    private static String failure(Runnable call) {
        try {
            call.run();
            return "none";
        } catch (MembersFailedException e) {
            return e.failures().keySet() + e.kind().name();
        }
    }
}
