package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.autograd.distributed.TensorInfo;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.Adagrad;
import org.gradwire.optim.Adam;
import org.gradwire.optim.AdamW;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.RMSprop;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.OwnDescent;
import org.gradwire.runtime.tests.functions.Parameters;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

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
    void parametersOutsideTheContextAreUnchanged() throws Exception {
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
    void frozenParametersAreSkipped() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var frozen = RemoteModule.create(rpc, "worker1", Linear::new, 3, 4, 1L);
                            var head = RemoteModule.create(rpc, "worker1", Linear::new, 4, 1, 2L)) {
                        frozen.requiresGrad(false);
                        List<RRef<Tensor>> parameters = new ArrayList<>(frozen.remoteParameters());
                        parameters.addAll(head.remoteParameters());
                        List<TensorInfo> infos =
                                parameters.stream().map(TensorInfo::ofReferent).toList();
                        assertEquals(
                                List.of(
                                        info(false, 4, 3),
                                        info(false, 4),
                                        info(true, 1, 4),
                                        info(true, 1)),
                                infos);
                        List<Tensor> before = values(parameters);
                        try (var optimizer =
                                        DistributedOptimizer.create(
                                                rpc, SGD::new, parameters, RATE);
                                var context = DistAutograd.context(rpc)) {
                            Tensor hidden = frozen.forward(Linear::forward, INPUT);
                            context.backward(head.forward(Linear::forward, hidden).sum());
                            optimizer.step(context);
                        }
                        List<Tensor> after = values(parameters);
                        for (int i = 0; i < after.size(); i++) {
                            assertEquals(
                                    i < 2, before.get(i).equal(after.get(i)), "parameter " + i);
                        }
                        parameters.forEach(RRef::close);
                    }
                });
    }

    private static TensorInfo info(boolean requiresGrad, Integer... shape) {
        return new TensorInfo(
                DType.FLOAT32, List.of(shape), Device.CPU, requiresGrad, /* isLeaf= */ true);
    }

    private static List<Tensor> values(List<RRef<Tensor>> parameters) {
        return parameters.stream().map(RRef::toHere).map(Tensor::detach).toList();
    }

    private static void assertClose(List<Tensor> expected, List<Tensor> actual) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            assertTrue(
                    expected.get(i).allclose(actual.get(i)),
                    expected.get(i) + " is expected, not " + actual.get(i));
        }
    }

    private static List<Tensor> localSteps(Function<List<Tensor>, Optimizer<?>> maker, int count) {
        List<Tensor> parameters = TwoLayers.initial();
        var optimizer = maker.apply(parameters);
        for (int step = 0; step < count; step++) {
            optimizer.zeroGrad();
            TwoLayers.loss(parameters).backward();
            optimizer.step();
        }
        return parameters;
    }

    private static void assertSteps(
            Function<List<Tensor>, Optimizer<?>> local,
            BiFunction<Rpc, List<RRef<Tensor>>, DistributedOptimizer> distributed)
            throws Exception {
        List<Tensor> expected = localSteps(local, 4);
        InprocGroup.runFirst(
                3,
                rpc -> {
                    try (var model = TwoLayers.on(rpc, "worker1", "worker2");
                            var optimizer = distributed.apply(rpc, model.parameters())) {
                        assertEquals(List.of("worker1", "worker2"), optimizer.owners());
                        for (int step = 0; step < 4; step++) {
                            model.train(optimizer);
                        }
                        assertClose(expected, model.values());
                    }
                });
    }

    @Test
    void optionsTravel() throws Exception {
        Adam.Options options = Adam.options(0.05).betas(0.8, 0.9).weightDecay(0.1).amsgrad(true);
        assertSteps(
                p -> new Adam(p, options),
                (rpc, p) -> DistributedOptimizer.create(rpc, Adam::new, p, options));
        assertSteps(AdamW::new, (rpc, p) -> DistributedOptimizer.create(rpc, AdamW::new, p));
        RMSprop.Options centered = RMSprop.options().centered(true).momentum(0.5);
        assertSteps(
                p -> new RMSprop(p, centered),
                (rpc, p) -> DistributedOptimizer.create(rpc, RMSprop::new, p, centered));
    }

    @Test
    void customOptimizersWork() throws Exception {
        var options = new OwnDescent.Options(0.1, List.of(), List.of());
        assertSteps(
                p -> new SGD(p, 0.1),
                (rpc, p) -> DistributedOptimizer.create(rpc, OwnDescent::new, p, options));
        assertSteps(
                p -> OwnDescent.vectorsFirst(p, 0.1),
                (rpc, p) -> DistributedOptimizer.create(rpc, OwnDescent::vectorsFirst, p, 0.1));
    }

    @Test
    void tableOnAServerLearnsFromSparseGradients() throws Exception {
        Tensor indices = Tensor.of(new long[][] {{5, 0, 5}, {0, 3, 1}});
        Adagrad.Options options = Adagrad.options(0.5).initialAccumulatorValue(0.1);
        Tensor table = Parameters.make(3, new int[] {6, 2});
        var local = new Adagrad(List.of(table), options);
        for (int step = 0; step < 3; step++) {
            local.zeroGrad();
            Tensor rows = Ops.embedding(table, indices, /* sparse= */ true);
            rows.mul(rows).sum().backward();
            local.step();
        }
        InprocGroup.runFirst(
                2,
                rpc -> {
                    int[] shape = {6, 2};
                    try (RRef<Tensor> remote = rpc.remote("worker1", Parameters::make, 3L, shape);
                            var optimizer =
                                    DistributedOptimizer.create(
                                            rpc, Adagrad::new, List.of(remote), options)) {
                        for (int step = 0; step < 3; step++) {
                            try (var context = DistAutograd.context(rpc)) {
                                Tensor rows =
                                        rpc.rpcSync("worker1", Parameters::rows, remote, indices);
                                context.backward(rows.mul(rows).sum());
                                optimizer.step(context);
                            }
                        }
                        Tensor actual = rpc.rpcSync("worker1", Parameters::values, remote);
                        assertClose(List.of(table), List.of(actual));
                    }
                });
    }

    @Test
    void stepsOfSeveralTrainersDoNotInterleave() throws Exception {
        int steps = 50;
        InprocGroup.run(
                3,
                rpc -> {
                    RRef<Tensor> made =
                            rpc.self().id() == 0
                                    ? rpc.remote("worker0", Parameters::of, Tensor.zeros(1))
                                    : null;
                    RRef<Tensor> shared = requireNonNull(rpc.allGather(made).get("worker0"));
                    var options = new OwnDescent.Options(1, List.of(), List.of());
                    try (var optimizer =
                            DistributedOptimizer.create(
                                    rpc, OwnDescent::new, List.of(shared), options)) {
                        for (int step = 0; step < steps; step++) {
                            try (var context = DistAutograd.context(rpc)) {
                                String owner = shared.owner().name();
                                context.backward(
                                        rpc.rpcSync(owner, Parameters::sum, shared).mul(-1));
                                optimizer.step(context);
                            }
                        }
                    }
                    rpc.barrier();
                    if (rpc.self().id() == 0) {
                        assertEquals(1, OwnDescent.Events.of(rpc).most());
                        assertEquals(3 * steps, shared.localValue().item());
                    }
                    rpc.barrier();
                    shared.close();
                });
    }

    @Test
    void emptyParameterListIsRefused() throws Exception {
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
