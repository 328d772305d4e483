package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.Encoders.Encoder;
import org.gradwire.runtime.tests.functions.Encoders.RemoteEncoder;
import org.gradwire.runtime.tests.functions.Encoders.Scaling;
import org.gradwire.runtime.tests.functions.Modules;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Map;

/** Modules on devices of their owner, with and without device maps. */
@Timeout(60)
class RemoteModuleDeviceTest {
    private static final long SEED = 7;
    private static final Device CUDA = new Device("cuda", 1);

    private static Tensor input() {
        return Tensor.of(new float[][] {{1, 2, 3}});
    }

    private static void assertTensor(Tensor expected, Tensor actual) {
        assertEquals(Device.CPU, actual.device());
        assertTrue(expected.allclose(actual), actual::toString);
    }

    @Test
    void passGoesThroughTheDeviceAndBack() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    var local = new Linear(3, 2, SEED);
                    Tensor x = input().requiresGrad(true);
                    local.forward(x).sum().backward();
                    try (var layer =
                            RemoteModule.create(rpc, "worker1/cuda:1", Linear::new, 3, 2, SEED)) {
                        Tensor y = input().requiresGrad(true);
                        try (var context = DistAutograd.context(rpc)) {
                            context.backward(layer.forward(Linear::forward, y).sum());
                            assertTensor(
                                    requireNonNull(x.grad()),
                                    requireNonNull(context.gradients().get(y)));
                            try (var optimizer =
                                    DistributedOptimizer.create(
                                            rpc, SGD::new, layer.remoteParameters(), 0.5)) {
                                optimizer.step(context);
                            }
                        }
                        new SGD(local.parameters(), 0.5).step();
                        assertTensor(local.weight().detach(), layer.stateDict().get("weight"));
                        assertEquals(
                                "cuda:1",
                                rpc.rpcSync("worker1", Modules::device, layer.moduleRRef()));
                    }
                });
    }

    @Test
    void movedModuleIsCalledOnItsDevice() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor expected = new Linear(3, 2, SEED).forward(input());
                    try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2, SEED)) {
                        assertSame(layer, layer.to(CUDA));
                        assertEquals("cuda:1", layer.device());
                        assertTensor(expected, layer.forward(Linear::forward, input()));
                        layer.loadStateDict(layer.stateDict());
                        assertTensor(expected, layer.forward(Linear::forward, input()));
                        assertThrows(
                                RemoteArgumentException.class,
                                () -> layer.to(new Device("cuda", 100)));
                        assertEquals("cuda:1", layer.device());
                        assertEquals("cpu", layer.to(Device.CPU).device());
                        assertTensor(expected, layer.forward(Linear::forward, input()));
                    }
                });
    }

    @Test
    void resultsOfAnyFormReturn() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Tensor x = Tensor.of(1f, 2f);
                    try (var encoder =
                            RemoteModule.create(
                                    rpc, "worker1/cuda:1", Encoder.class, Scaling::new, 3.0)) {
                        RemoteEncoder proxy = encoder.proxy(RemoteEncoder.class);
                        assertTensor(x.mul(6), proxy.encode(x, 2));
                        assertTensor(x.mul(6), proxy.encodeAsync(x, 2).join());
                        assertTensor(x.mul(3), proxy.encodeLater(x).join());
                        assertTensor(
                                x.mul(3), proxy.encodeInStages(x).toCompletableFuture().join());
                        proxy.pieces(x).forEach(piece -> assertEquals(Device.CPU, piece.device()));
                        assertTensor(x.mul(3), proxy.named(x).get("encoded"));
                        assertEquals(9.0, proxy.total(x));
                    }
                });
    }

    @Test
    void deviceMapSelectsTheDeviceOfResults() throws Exception {
        InprocGroup.runFirst(
                3,
                Map.of("gradwire.device-maps", "worker1 cuda:0=cuda:1"),
                rpc -> {
                    Tensor expected = new Linear(3, 2, SEED).forward(input());
                    try (var layer =
                            RemoteModule.create(rpc, "worker1/cuda:1", Linear::new, 3, 2, SEED)) {
                        assertTrue(layer.isDeviceMapSet());
                        Tensor there =
                                layer.forward(Linear::forward, input().to(new Device("cuda", 0)));
                        assertEquals(new Device("cuda", 0), there.device());
                        assertTensor(expected, there.to(Device.CPU));
                        assertEquals(
                                new Device("cuda", 0),
                                layer.forward(Linear::forward, input()).device());
                        assertEquals(
                                new Device("cuda", 0), layer.stateDict().get("weight").device());
                    }
                });
    }

    @Test
    void receiverOfAHandleUsesItsOwnMaps() throws Exception {
        InprocGroup.runEach(
                3,
                rank ->
                        rank == 0
                                ? Map.of("gradwire.device-maps", "worker1 cuda:0=cuda:1")
                                : Map.of(),
                rpc -> {
                    if (rpc.self().id() != 0) {
                        return;
                    }
                    Tensor expected = new Linear(3, 2, SEED).forward(input());
                    try (var layer =
                            RemoteModule.create(rpc, "worker1/cuda:1", Linear::new, 3, 2, SEED)) {
                        assertTrue(layer.isDeviceMapSet());
                        assertFalse(rpc.rpcSync("worker2", Modules::mapsDevices, layer));
                        assertTensor(
                                expected, rpc.rpcSync("worker2", Modules::output, layer, input()));
                    }
                });
    }
}
