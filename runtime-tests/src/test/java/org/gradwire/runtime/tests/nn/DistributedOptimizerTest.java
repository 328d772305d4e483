package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

/** Steps over parameters on several workers. */
@Timeout(60)
class DistributedOptimizerTest {
    private static final double RATE = 0.1;
    private static final double MOMENTUM = 0.9;
    private static final Tensor INPUT = Tensor.of(new float[][] {{1, -2, 3}, {0, 1, 1}});

    @Test
    void stepsAreThoseOfOneProcess() throws Exception {
        List<Tensor> expected = localSteps(3);
        InprocGroup.runFirst(
                3,
                rpc -> {
                    try (var first = RemoteModule.create(rpc, "worker1", Linear::new, 3, 4, 1L);
                            var second =
                                    RemoteModule.create(rpc, "worker2", Linear::new, 4, 1, 2L)) {
                        List<RRef<Tensor>> parameters = new ArrayList<>(first.remoteParameters());
                        parameters.addAll(second.remoteParameters());
                        try (var optimizer =
                                DistributedOptimizer.create(
                                        rpc, SGD::new, parameters, RATE, MOMENTUM)) {
                            for (int step = 0; step < 3; step++) {
                                try (var context = DistAutograd.context(rpc)) {
                                    Tensor hidden = first.forward(Linear::forward, INPUT).tanh();
                                    context.backward(second.forward(Linear::forward, hidden).sum());
                                    optimizer.step(context);
                                }
                            }
                        }
                        for (int i = 0; i < expected.size(); i++) {
                            Tensor actual = parameters.get(i).toHere();
                            assertTrue(
                                    expected.get(i).allclose(actual),
                                    expected.get(i) + " is expected, not " + actual);
                            parameters.get(i).close();
                        }
                    }
                });
    }

    private static List<Tensor> localSteps(int count) {
        var first = new Linear(3, 4, 1);
        var second = new Linear(4, 1, 2);
        List<Tensor> parameters = new ArrayList<>(first.parameters());
        parameters.addAll(second.parameters());
        var optimizer = new SGD(parameters, RATE, MOMENTUM);
        for (int step = 0; step < count; step++) {
            optimizer.zeroGrad();
            second.forward(first.forward(INPUT).tanh()).sum().backward();
            optimizer.step();
        }
        return parameters;
    }

    @Test
    void parametersOutsideTheContextStay() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 1);
                            var optimizer =
                                    DistributedOptimizer.create(
                                            rpc, SGD::new, layer.remoteParameters(), RATE);
                            var context = DistAutograd.context(rpc)) {
                        Tensor before = layer.forward(Linear::forward, INPUT).detach();
                        Tensor unrelated = Tensor.ones(1).requiresGrad(true);
                        context.backward(unrelated.sum());
                        optimizer.step(context);
                        assertTrue(before.equal(layer.forward(Linear::forward, INPUT)));
                    }
                });
    }

    @Test
    void aConstructorThatFailsFailsCreate() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 1)) {
                        List<RRef<Tensor>> parameters = layer.remoteParameters();
                        var e =
                                assertThrows(
                                        RemoteArgumentException.class,
                                        () ->
                                                DistributedOptimizer.create(
                                                        rpc, SGD::new, parameters, -1.0));
                        assertTrue(
                                e.getMessage().contains("Invalid learning rate: -1.0"),
                                e.getMessage());
                    }
                });
    }

    @Test
    void withoutParametersThereIsNoOptimizer() throws Exception {
        InprocGroup.runFirst(
                1,
                rpc ->
                        assertEquals(
                                "optimizer got an empty parameter list",
                                assertThrows(
                                                IllegalArgumentException.class,
                                                () ->
                                                        DistributedOptimizer.create(
                                                                rpc, SGD::new, List.of(), RATE))
                                        .getMessage()));
    }
}
