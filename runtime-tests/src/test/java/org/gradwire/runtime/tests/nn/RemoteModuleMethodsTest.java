package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.Encoders.Encoder;
import org.gradwire.runtime.tests.functions.Encoders.Scaling;
import org.gradwire.runtime.tests.functions.Modules;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The module methods of a remote module. */
@Timeout(60)
class RemoteModuleMethodsTest {
    private static final long SEED = 7;
    private static final Tensor INPUT = Tensor.of(new float[][] {{1, 2, 3}});

    private interface Body {
        void run(Rpc rpc, RemoteModule<Linear> layer) throws Exception;
    }

    private static void withLayer(Body body) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2, SEED)) {
                        body.run(rpc, layer);
                    }
                });
    }

    private static void assertTensor(Tensor expected, Tensor actual) {
        assertTrue(expected.equal(actual), actual::toString);
    }

    @Test
    void stateIsReadAndReplaced() throws Exception {
        withLayer((_, layer) -> {
            Map<String, Tensor> state = layer.stateDict();
            assertEquals(List.of("weight", "bias"), List.copyOf(state.keySet()));
            assertTensor(new Linear(3, 2, SEED).weight().detach(), state.get("weight"));
            var other = new Linear(3, 2, SEED + 1);
            assertEquals(List.of(), layer.loadStateDict(other.stateDict()).missing());
            assertTensor(other.forward(INPUT), layer.forward(Linear::forward, INPUT));
        });
    }

    @Test
    void stateOfAnotherModuleIsRefused() throws Exception {
        withLayer((_, layer) -> {
            Map<String, Tensor> state = new LinkedHashMap<>(layer.stateDict());
            Tensor weight = state.remove("weight");
            state.put("other", weight);
            var e =
                    assertThrows(
                            RemoteArgumentException.class, () -> layer.loadStateDict(state, true));
            assertTrue(
                    String.valueOf(e.getMessage())
                            .contains("Missing key(s) in stateDict: \"weight\""),
                    e.getMessage());
            var keys = layer.loadStateDict(state, false);
            assertEquals(List.of("weight"), keys.missing());
            assertEquals(List.of("other"), keys.unexpected());
        });
    }

    @Test
    void parametersAndBuffersAreReferencedByTheirPaths() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var module =
                            RemoteModule.create(rpc, "worker1", Encoder.class, Scaling::new, 3.0)) {
                        Map<String, RRef<Tensor>> parameters = module.namedParameters();
                        assertEquals(List.of("weight"), List.copyOf(parameters.keySet()));
                        assertTensor(Tensor.full(3.0, 1), parameters.get("weight").toHere());
                        assertEquals("worker1", parameters.get("weight").owner().name());
                        assertEquals(1, module.remoteParameters(false).size());
                        assertEquals(List.of("calls"), List.copyOf(module.namedBuffers().keySet()));
                    }
                });
    }

    @Test
    void modesAndGradientsAreSwitched() throws Exception {
        withLayer((rpc, layer) -> {
            assertTrue(layer.isTraining());
            assertFalse(layer.eval().isTraining());
            assertTrue(layer.train().isTraining());
            layer.requiresGrad(false);
            RRef<Tensor> weight = layer.namedParameters().get("weight");
            assertFalse(rpc.rpcSync("worker1", Modules::requiresGrad, weight));
            layer.requiresGrad(true);
            assertTrue(rpc.rpcSync("worker1", Modules::requiresGrad, weight));
        });
    }

    @Test
    void gradientsAreZeroed() throws Exception {
        withLayer((rpc, layer) -> {
            RRef<Tensor> weight = layer.namedParameters().get("weight");
            rpc.runSync("worker1", Modules::setGradient, weight);
            assertTrue(rpc.rpcSync("worker1", Modules::hasGradient, weight));
            layer.zeroGrad();
            assertFalse(rpc.rpcSync("worker1", Modules::hasGradient, weight));
        });
    }

    @Test
    void typeIsConverted() throws Exception {
        withLayer((_, layer) -> {
            assertSame(layer, layer.to(DType.FLOAT64));
            assertEquals(DType.FLOAT64, layer.stateDict().get("weight").dtype());
            assertEquals(
                    DType.FLOAT64, layer.forward(Linear::forward, INPUT.to(DType.FLOAT64)).dtype());
        });
    }

    @Test
    void printsAsOnItsOwner() throws Exception {
        withLayer((_, layer) -> {
            var local = new Linear(3, 2, SEED);
            assertEquals(local.toString(), layer.text());
            assertEquals(local.summary(), layer.summary());
            assertEquals("RemoteModule(worker1/cpu, " + layer.moduleRRef() + ")", layer.toString());
        });
    }

    @Test
    void parametersAreTrainedOnTheirOwner() throws Exception {
        withLayer((rpc, layer) -> {
            var local = new Linear(3, 2, SEED);
            var localOptimizer = new SGD(local.parameters(), 0.5);
            try (var optimizer =
                    DistributedOptimizer.create(rpc, SGD::new, layer.remoteParameters(), 0.5)) {
                for (int i = 0; i < 3; i++) {
                    local.zeroGrad();
                    local.forward(INPUT).sum().backward();
                    localOptimizer.step();
                    try (var context = DistAutograd.context(rpc)) {
                        context.backward(layer.forward(Linear::forward, INPUT).sum());
                        optimizer.step(context);
                    }
                }
            }
            assertTensor(local.weight().detach(), layer.stateDict().get("weight"));
        });
    }

    @Test
    void noMethodReturnsWhatStaysOnTheOwner() {
        List<String> methods =
                Arrays.stream(RemoteModule.class.getMethods()).map(Method::getName).toList();
        assertTrue(methods.contains("remoteParameters"), methods.toString());
        for (String local :
                List.of(
                        "parameters",
                        "buffers",
                        "children",
                        "namedChildren",
                        "modules",
                        "namedModules",
                        "apply")) {
            assertFalse(methods.contains(local), local);
        }
    }

    @Test
    void valueThatIsNotAModuleHasCallsOnly() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var text =
                            RemoteModule.initFromModuleRRef(
                                    rpc, "worker0", rpc.<Object>rref("text"))) {
                        var e = assertThrows(IllegalArgumentException.class, text::stateDict);
                        assertTrue(
                                String.valueOf(e.getMessage())
                                        .contains("a java.lang.String, is not a Module"),
                                e.getMessage());
                    }
                });
    }

    @Test
    void workerThatHasLeftCreatesNone() throws Exception {
        InprocGroup.run(
                2,
                rpc -> {
                    rpc.shutdown();
                    var e =
                            assertThrows(
                                    RpcException.class,
                                    () -> RemoteModule.create(rpc, "worker1", Linear::new, 3, 2));
                    assertEquals(RpcErrorKind.SHUTDOWN, e.kind());
                    assertTrue(
                            String.valueOf(e.getMessage())
                                    .startsWith("RemoteModule only works in RPC."),
                            e.getMessage());
                });
    }
}
