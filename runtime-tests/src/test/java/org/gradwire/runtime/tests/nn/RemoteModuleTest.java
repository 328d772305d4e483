package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.Modules;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Modules on other workers: creation, calls, gradients, release. */
@Timeout(60)
class RemoteModuleTest {
    private static final long SEED = 7;

    @ParameterizedTest
    @ValueSource(strings = {"worker1", "worker1/cpu", "rank:1", "rank:1/cpu", "worker0"})
    void forwardIsThatOfTheLocalModule(String place) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor x = Tensor.of(new float[][] {{1, 2, 3}});
                    Tensor expected = new Linear(3, 2, SEED).forward(x);
                    try (var layer = RemoteModule.create(rpc, place, Linear::new, 3, 2, SEED)) {
                        assertTrue(expected.equal(layer.forward(Linear::forward, x)));
                        assertTrue(expected.equal(layer.forwardAsync(Linear::forward, x).join()));
                        assertEquals("cpu", layer.device());
                        assertEquals(
                                place.equals("worker0") ? "worker0" : "worker1",
                                layer.moduleRRef().owner().name());
                    }
                });
    }

    @Test
    void parametersAndTheirGradientsStayOnTheOwner() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor indices = Tensor.of(0, 2, 2);
                    Tensor offsets = Tensor.of(0, 1);
                    var local = new EmbeddingBag(3, 2, "sum", SEED);
                    local.forward(indices, offsets).sum().backward();
                    try (var table =
                            RemoteModule.create(
                                    rpc, "worker1", EmbeddingBag::new, 3, 2, "sum", SEED)) {
                        List<RRef<Tensor>> parameters = table.remoteParameters();
                        assertEquals(1, parameters.size());
                        assertEquals("worker1", parameters.getFirst().owner().name());
                        assertTrue(local.weight().equal(parameters.getFirst().toHere()));
                        Tensor gradient = gradientOfSum(rpc, table, parameters, indices, offsets);
                        assertTrue(requireNonNull(local.weight().grad()).equal(gradient));
                        parameters.forEach(RRef::close);
                    }
                });
    }

    private static Tensor gradientOfSum(
            Rpc rpc,
            RemoteModule<EmbeddingBag> table,
            List<RRef<Tensor>> parameters,
            Tensor indices,
            Tensor offsets) {
        try (var context = DistAutograd.context(rpc)) {
            context.backward(table.forward(EmbeddingBag::forward, indices, offsets).sum());
            return rpc.rpcSync("worker1", Modules::gradient, parameters.getFirst(), context.id());
        }
    }

    @Test
    void modeReachesTheModule() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2)) {
                        assertTrue(rpc.rpcSync("worker1", Modules::isTraining, layer.moduleRRef()));
                        layer.train(false);
                        assertEquals(
                                false,
                                rpc.rpcSync("worker1", Modules::isTraining, layer.moduleRRef()));
                    }
                });
    }

    @Test
    void anotherHandleCallsTheSameModule() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor x = Tensor.ones(1, 3);
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2)) {
                        var other = RemoteModule.of(rpc, layer.moduleRRef());
                        assertTrue(
                                layer.forward(Linear::forward, x)
                                        .equal(other.forward(Linear::forward, x)));
                        assertEquals("worker1", other.on());
                    }
                });
    }

    @Test
    void failedCreationFailsEachUse() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 0, 2)) {
                        for (int i = 0; i < 2; i++) {
                            var e =
                                    assertThrows(
                                            RemoteArgumentException.class,
                                            () -> layer.forward(Linear::forward, Tensor.ones(1)));
                            assertTrue(
                                    e.getMessage().contains("at least one feature on each side"),
                                    e.getMessage());
                        }
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({
        "/, /' is not the place of a remote module",
        "/cpu, /cpu' is not the place of a remote module",
        "a/b/c, a/b/c' is not the place of a remote module",
        "worker:1/cpu, worker:1/cpu' is not the place of a remote module",
        "worker1/, Device string must not be empty",
        "worker1/cpu2, Invalid device string: 'cpu2'",
        "worker1/foo, Expected one of cpu",
        "worker7, could not find destination",
        "rank:7/cpu, could not find destination",
    })
    void placesThatAreNoneAreRefusedAtOnce(String place, String text) throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var e =
                            assertThrows(
                                    RuntimeException.class,
                                    () -> RemoteModule.create(rpc, place, Linear::new, 3, 2));
                    assertTrue(e.getMessage().contains(text), e.getMessage());
                });
    }
}
