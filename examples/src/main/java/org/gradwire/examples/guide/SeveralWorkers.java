package org.gradwire.examples.guide;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerGroup.FailureRule;
import org.gradwire.rpc.WorkerGroup.MemberResult;
import org.gradwire.rpc.WorkerGroup.ResultStream;
import org.gradwire.rpc.WorkerGroup.Results;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Page 2: calls of several workers together. */
public final class SeveralWorkers {

    private SeveralWorkers() {}

    static void run(Rpc rpc) {
        WorkerGroup others = rpc.workers("worker*").slice(1, 3);
        all(others);
        rules(others);
        busy(rpc, others);
        broadcast(others);
    }

    private static void all(WorkerGroup others) {
        List<String> texts = List.of("to be", "or not to be");
        Results<Texts.Summary> same = others.callAll(Call.to(Texts::summarize, "a text"));
        Results<Texts.Summary> each = others.callAll(i -> Call.to(Texts::summarize, texts.get(i)));
        IO.println("the same: " + same.byName().keySet());
        IO.println("one each: " + each.values());
    }

    private static void rules(WorkerGroup others) {
        Call<Integer> call = Call.to(Failures::quotient, 6, 3);
        IO.println("one is enough: " + others.callAll(call, FailureRule.ANY).values());
        int sum = 0;
        try (ResultStream<Integer> results = others.stream(call)) {
            for (MemberResult<Integer> result : results) { // in the order in which they arrive
                sum += result.value();
            }
        }
        IO.println("as they came: " + sum);
    }

    private static void busy(Rpc rpc, WorkerGroup others) {
        String idle = others.choose().name();
        IO.println("the least busy: " + rpc.rpcSync(idle, Failures::quotient, 6, 2));
    }

    private static void broadcast(WorkerGroup others) {
        List<RRef<Tensor>> copies = others.broadcast(Tensor.of(1f, 2f));
        Results<Tensor> scaled =
                others.callAll(i -> Call.to(SeveralWorkers::scale, copies.get(i), i + 1));
        IO.println("with the copies: " + scaled.values());
        copies.forEach(RRef::close);
    }

    @RemoteCallable
    public static Tensor scale(RRef<Tensor> copy, int factor) {
        return Ops.mul(copy.localValue(), factor);
    }
}
