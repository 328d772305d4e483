package org.gradwire.nn.parallel.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.nn.parallel.tests.functions.Fronts;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Gradients in distributed autograd contexts, next to calls, and the loss of a member. */
@Timeout(120)
@GradwireWorkers(3)
class DistributedContextsTest {

    /**
     * Each member's first layer is on the next member: calls, gradients and averages cross in both
     * directions at the same time.
     */
    @Test
    void gradientsOfAContextAreAveragedNextToCalls(List<Rpc> workers) {
        assertAveragedNextToCalls(workers);
    }

    @Test
    @GradwireWorkers(value = 3, backend = "tensorpipe")
    void theyAreSoOverTensorpipe(List<Rpc> workers) {
        assertAveragedNextToCalls(workers);
    }

    private static void assertAveragedNextToCalls(List<Rpc> workers) {
        int steps = 10;
        List<List<List<Tensor>>> found =
                Members.run(workers, (rpc, group) -> contexts(rpc, group, steps));
        for (int step = 0; step < steps; step++) {
            List<List<Tensor>> alone = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                Linear front = Fronts.layer();
                Sequential model = Samples.perceptron(7);
                model.forward(front.forward(Samples.inputs(rank, step))).pow(2).mean().backward();
                alone.add(Samples.gradients(model));
            }
            List<Tensor> expected = Samples.average(alone);
            for (List<List<Tensor>> member : found) {
                assertTrue(Samples.equal(expected, member.get(step)));
            }
        }
    }

    private static List<List<Tensor>> contexts(Rpc rpc, ProcessGroup group, int steps) {
        Sequential model = Samples.perceptron(7);
        String next = group.members().get((group.rank() + 1) % 3);
        List<List<Tensor>> found = new ArrayList<>();
        try (var front = RemoteModule.create(rpc, next, Fronts::front);
                var parallel =
                        DistributedDataParallel.builder(group, model).bucketBytes(1).build()) {
            for (int step = 0; step < steps; step++) {
                Tensor inputs = Samples.inputs(group.rank(), step);
                try (var context = DistAutograd.context(rpc)) {
                    Tensor hidden = front.forward(Linear::forward, inputs);
                    context.backward(parallel.forward(m -> m.forward(hidden)).pow(2).mean());
                    found.add(
                            model.parameters().stream()
                                    .map(parameter -> {
                                        Tensor gradient = context.gradients().get(parameter);
                                        assertNotNull(gradient);
                                        assertNull(parameter.grad());
                                        return gradient;
                                    })
                                    .toList());
                }
            }
        }
        return found;
    }

    @Test
    @GradwireWorkers(value = 3, checkLeaks = false)
    void theLossOfAMemberFailsThePassesOfTheOthers(List<Rpc> workers) {
        List<CompletableFuture<Object>> running =
                Members.start(
                        workers,
                        (rpc, group) -> {
                            Sequential model = Samples.perceptron(7);
                            var parallel = DistributedDataParallel.of(group, model);
                            for (int s = 0; ; s++) {
                                int step = s;
                                if (group.rank() == 2 && step == 5) {
                                    rpc.shutdownNow();
                                    return "gone";
                                }
                                parallel.forward(m -> Samples.loss(m, group.rank(), step))
                                        .backward();
                            }
                        });
        assertEquals("gone", running.get(2).join());
        for (int rank = 0; rank < 2; rank++) {
            CompletableFuture<Object> member = running.get(rank);
            var failure = assertThrows(CompletionException.class, member::join);
            assertInstanceOf(RpcConnectionException.class, failure.getCause());
        }
    }
}
