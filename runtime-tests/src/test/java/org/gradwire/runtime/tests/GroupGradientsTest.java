package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerGroup.FailureRule;
import org.gradwire.runtime.tests.functions.Members;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Objects;

/** Backward passes through calls of several members: gradients are summed over them. */
@Timeout(120)
class GroupGradientsTest {

    private static void run(InprocGroup.Body body) throws Exception {
        InprocGroup.runFirst(4, body);
    }

    private static WorkerGroup others(Rpc rpc) {
        return rpc.workers(List.of("worker1", "worker2", "worker3"));
    }

    private static Tensor sum(List<Tensor> results) {
        return results.stream().reduce(Tensor::add).orElseThrow().sum();
    }

    private static BackwardOptions options(BackwardMode mode) {
        return mode == BackwardMode.SMART ? BackwardOptions.smart() : BackwardOptions.fast();
    }

    private static void assertGradient(AutogradContext context, Tensor of, float... expected) {
        assertArrayEquals(
                expected, Objects.requireNonNull(context.gradients().get(of)).toFloatArray());
    }

    @ParameterizedTest
    @EnumSource
    void parameterSharedByTheCallsGetsTheSum(BackwardMode mode) throws Exception {
        run(rpc -> {
            Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
            try (var context = DistAutograd.context(rpc)) {
                List<Tensor> results = others(rpc).callAll(Call.to(Members::scaled, w)).values();
                context.backward(options(mode), sum(results));
                assertGradient(context, w, 6, 6); // 1 + 2 + 3
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void argumentsByMemberAddUpToo(BackwardMode mode) throws Exception {
        run(rpc -> {
            Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
            try (var context = DistAutograd.context(rpc)) {
                List<Tensor> results =
                        others(rpc)
                                .callAll(i -> Call.to(Members::scaled, w.mul(10f * (i + 1))))
                                .values();
                context.backward(options(mode), sum(results));
                assertGradient(context, w, 140, 140); // 10 * (1 * 1 + 2 * 2 + 3 * 3)
            }
        });
    }

    @Test
    void cancelledCallTakesNoPartInASmartPass() throws Exception {
        run(rpc -> {
            Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
            try (var context = DistAutograd.context(rpc)) {
                List<Tensor> results =
                        others(rpc)
                                .callAll(Call.to(Members::scaled, w), FailureRule.quorum(2))
                                .values();
                assertEquals(2, results.size());
                context.backward(BackwardOptions.smart(), sum(results));
                float members = (float) results.stream().mapToDouble(r -> r.at(0).item()).sum();
                assertGradient(context, w, members, members);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void broadcastParameterGetsTheSumOfItsCopies(BackwardMode mode) throws Exception {
        run(rpc -> {
            Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
            WorkerGroup others = others(rpc);
            try (var context = DistAutograd.context(rpc)) {
                List<RRef<Tensor>> copies = others.broadcast(w);
                List<Tensor> results =
                        others.callAll(i ->
                                        Call.to(
                                                Members::product,
                                                copies.get(i),
                                                Tensor.of(1f, i + 1f)))
                                .values();
                context.backward(options(mode), sum(results));
                assertGradient(context, w, 3, 6);
                copies.forEach(RRef::close);
            }
        });
    }
}
