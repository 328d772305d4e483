package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.DistributedOptimizerException;
import org.gradwire.optim.SGD;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.InprocWorkers;
import org.gradwire.runtime.tests.functions.OwnDescent;
import org.gradwire.runtime.tests.functions.Parameters;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Partial failures of distributed optimizers. */
@Timeout(60)
class DistributedOptimizerFailureTest {

    /** {@return a parameter of zeros on each worker except the first} */
    private static List<RRef<Tensor>> zeros(Rpc rpc, int workers) {
        List<RRef<Tensor>> parameters = new ArrayList<>();
        for (int i = 1; i < workers; i++) {
            parameters.add(rpc.remote("worker" + i, Parameters::of, Tensor.zeros(1)));
        }
        return parameters;
    }

    private static Tensor sum(Rpc rpc, List<RRef<Tensor>> parameters) {
        return parameters.stream()
                .map(p -> rpc.rpcSync(p.owner().name(), Parameters::sum, p))
                .reduce(Tensor::add)
                .orElseThrow();
    }

    private static double value(Rpc rpc, RRef<Tensor> parameter) {
        return rpc.rpcSync(parameter.owner().name(), Parameters::values, parameter).item();
    }

    @Test
    void failedOwnersAreNamedAndTheOthersTakeTheirSteps() throws Exception {
        InprocGroup.runFirst(
                4,
                rpc -> {
                    List<RRef<Tensor>> parameters = zeros(rpc, 4);
                    var options =
                            new OwnDescent.Options(1, List.of("worker1", "worker3"), List.of());
                    try (var optimizer =
                                    DistributedOptimizer.create(
                                            rpc, OwnDescent::new, parameters, options);
                            var context = DistAutograd.context(rpc)) {
                        context.backward(sum(rpc, parameters));
                        var e =
                                assertThrows(
                                        DistributedOptimizerException.class,
                                        () -> optimizer.step(context));
                        assertTrue(
                                e.getMessage()
                                        .startsWith(
                                                "step failed on worker1, worker3; done on worker2\nworker1: "),
                                e.getMessage());
                        assertTrue(e.getMessage().contains("\nworker3: "), e.getMessage());
                        assertEquals(Set.of("worker1", "worker3"), e.failures().keySet());
                        assertEquals(List.of("worker2"), e.succeeded());
                        assertSame(e.failures().get("worker1"), e.getCause());
                        assertSame(e.failures().get("worker3"), e.getSuppressed()[0]);
                        assertTrue(String.valueOf(e.getCause()).contains("no step here"));
                    }
                    assertEquals(0, value(rpc, parameters.get(0)));
                    assertEquals(-1, value(rpc, parameters.get(1)));
                    parameters.forEach(RRef::close);
                });
    }

    @Test
    void ownerThatDiesDuringAStepEndsIt() throws InterruptedException {
        try (var workers = new InprocWorkers(3)) {
            Rpc rpc = workers.get(0);
            List<RRef<Tensor>> parameters = zeros(rpc, 3);
            var options = new OwnDescent.Options(1, List.of(), List.of("worker2"));
            var optimizer = DistributedOptimizer.create(rpc, OwnDescent::new, parameters, options);
            CompletableFuture<DistributedOptimizerException> step =
                    InprocWorkers.onThread(() -> {
                        try (var context = DistAutograd.context(rpc)) {
                            context.backward(sum(rpc, parameters));
                            return assertThrows(
                                    DistributedOptimizerException.class,
                                    () -> optimizer.step(context));
                        }
                    });
            OwnDescent.Events.of(workers.get(2)).awaitEntered();
            workers.get(2).shutdownNow();
            DistributedOptimizerException e = step.join();
            assertEquals(Set.of("worker2"), e.failures().keySet());
            assertEquals(List.of("worker1"), e.succeeded());
            assertEquals(-1, value(rpc, parameters.get(0)));

            var scheduler =
                    assertThrows(
                            DistributedOptimizerException.class,
                            () -> new LRScheduler(optimizer, (_, _, first) -> first / 2));
            assertTrue(
                    scheduler.getMessage().startsWith("change of learning rates failed on worker2"),
                    scheduler.getMessage());
            assertEquals(
                    List.of(1.0), optimizer.learningRates().lrs(), "so that it can be tried again");
            var saving = assertThrows(DistributedOptimizerException.class, optimizer::stateDict);
            assertEquals(Set.of("worker2"), saving.failures().keySet());
        }
    }

    @Test
    void failedConstructorFailsCreate() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    List<RRef<Tensor>> parameters = zeros(rpc, 3);
                    var e =
                            assertThrows(
                                    DistributedOptimizerException.class,
                                    () ->
                                            DistributedOptimizer.create(
                                                    rpc, SGD::new, parameters, -1.0));
                    assertEquals(Set.of("worker1", "worker2"), e.failures().keySet());
                    assertTrue(
                            e.getMessage()
                                    .startsWith(
                                            "creation failed on worker1, worker2; no owner has done it\n"),
                            e.getMessage());
                    var cause = assertInstanceOf(RemoteArgumentException.class, e.getCause());
                    assertTrue(
                            requireNonNull(cause.getMessage())
                                    .contains("Invalid learning rate: -1.0"),
                            cause.getMessage());
                    parameters.forEach(RRef::close);
                });
    }

    @Test
    void optimizerOverOtherParametersIsRefused() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    List<RRef<Tensor>> parameters = zeros(rpc, 2);
                    var e =
                            assertThrows(
                                    DistributedOptimizerException.class,
                                    () ->
                                            DistributedOptimizer.create(
                                                    rpc, OwnDescent::overOthers, parameters));
                    assertTrue(
                            e.getMessage()
                                    .contains(
                                            "the optimizer has a parameter that is not among those passed to its constructor"),
                            e.getMessage());
                    parameters.forEach(RRef::close);
                });
    }

    @Test
    void stateOfOtherParametersIsRefusedByTheirOwner() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    List<RRef<Tensor>> parameters = zeros(rpc, 3);
                    try (var optimizer =
                            DistributedOptimizer.create(rpc, SGD::new, parameters, 0.5, 0.9)) {
                        try (var context = DistAutograd.context(rpc)) {
                            context.backward(sum(rpc, parameters));
                            optimizer.step(context);
                        }
                        var state = optimizer.stateDict();
                        state.put("state.1.momentum_buffer", Tensor.ones(7));
                        var e =
                                assertThrows(
                                        DistributedOptimizerException.class,
                                        () -> optimizer.loadStateDict(state));
                        assertEquals(Set.of("worker2"), e.failures().keySet());
                        assertEquals(List.of("worker1"), e.succeeded());
                    }
                    parameters.forEach(RRef::close);
                });
    }

    @Test
    void unknownContextIsAnError() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    List<RRef<Tensor>> parameters = zeros(rpc, 2);
                    try (var optimizer =
                            DistributedOptimizer.create(rpc, SGD::new, parameters, 0.5)) {
                        long id;
                        try (var context = DistAutograd.context(rpc)) {
                            id = context.id();
                            context.backward(sum(rpc, parameters));
                        }
                        var e = assertThrows(RpcException.class, () -> optimizer.step(id));
                        assertFalse(e instanceof DistributedOptimizerException, e.getMessage());
                        assertTrue(
                                e.getMessage().contains("Could not find autograd context"),
                                e.getMessage());
                        assertEquals(0, value(rpc, parameters.get(0)));
                    }
                    parameters.forEach(RRef::close);
                });
    }
}
