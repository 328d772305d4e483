package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Tensors;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Backward passes with duplicated gradient messages. */
@Timeout(60)
class RepeatedGradientsTest {
    private static final int SEEDS = 20;
    private static final Tensor ONES = Tensor.ones(2, 2);

    private static SimulatedGroup group(int seed, Map<String, String> more) throws Exception {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("gradwire.backend", "faulty");
        settings.put("gradwire.faulty.backend", "inproc");
        settings.put("gradwire.faulty.messages-to-fail", "");
        settings.put("gradwire.faulty.messages-to-delay", "");
        settings.put("gradwire.faulty.requests-to-repeat", "BACKWARD_AUTOGRAD_REQ:1");
        return new SimulatedGroup(3, seed, settings);
    }

    /** {@return the number of passes on each worker} */
    private static List<String> passes(SimulatedGroup group) {
        return List.of(
                info(group.get(0), "num_current_backward_passes"),
                info(group.get(1), "num_current_backward_passes"),
                info(group.get(2), "num_current_backward_passes"));
    }

    private static String info(Rpc rpc, String key) {
        return rpc.debugInfo().getOrDefault(key, "none");
    }

    @ParameterizedTest
    @EnumSource
    void passIsCompleteOnReturnAndItsGradientsCountOnce(BackwardMode mode) throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            try (SimulatedGroup group = group(seed, Map.of());
                    AutogradContext context = DistAutograd.context(group.get(0))) {
                Rpc rpc = group.get(0);
                Tensor a = Tensor.ones(2, 2).requiresGrad(true);
                Tensor b = rpc.rpcSync("worker1", Tensors::parameter);
                Tensor sum = rpc.rpcSync("worker1", Tensors::addAt, a, b, "worker2");
                context.backward(new BackwardOptions(mode, false), sum.sum());

                String run = mode + ", seed " + seed;
                assertEquals(List.of("0", "0", "0"), passes(group), run);
                assertTrue(ONES.equal(context.gradients().get(a)), run);
                var remote = DistAutograd.lookup(group.get(1), context.id()).gradients().values();
                assertEquals(1, remote.size(), run);
                assertTrue(ONES.equal(remote.iterator().next()), run);
                assertNotEquals("0", info(rpc, "faulty.repeated_requests"), run);
            }
        }
    }

    /** Worker 1 gets a request twice, and its own request to worker 2 is lost. */
    @Test
    void bothRequestsFailWithTheLaterWorker() throws Exception {
        Map<String, String> cut = Map.of("gradwire.faulty.cuts", "1>2@10s+10m");
        for (int seed = 0; seed < SEEDS; seed++) {
            try (SimulatedGroup group = group(seed, cut);
                    AutogradContext context = DistAutograd.context(group.get(0))) {
                Tensor a = Tensor.ones(2, 2).requiresGrad(true);
                Rpc rpc = group.get(0);
                Tensor sum = rpc.rpcSync("worker1", Tensors::addAt, a, a, "worker2").sum();
                group.pass(Duration.ofSeconds(10));
                var failure = assertThrows(RpcException.class, () -> context.backward(sum));

                String run = "seed " + seed + ": " + failure.getMessage();
                assertEquals(RpcErrorKind.TIMEOUT, failure.kind(), run);
                assertTrue(run.contains("Error on Node"), run);
                group.pass(Duration.ofSeconds(1)); // worker 1 sent later, so it waits for longer
                assertEquals(List.of("0", "0", "0"), passes(group), run);
            }
        }
    }
}
