package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.conformance.harness.ThreadWorld;
import org.gradwire.rpc.RRef;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Cases of distributed backward passes through tensors on devices. They need {@code cuda:0}, those
 * with device maps {@code cuda:0} to {@code cuda:3}, which module {@code
 * org.gradwire.device.virtual} provides in ordinary memory, and are skipped otherwise. Each
 * dimension is a tenth of that in PyTorch's tests.
 */
public abstract class DeviceCases extends AutogradSuite {
    private static final String MAPS = "gradwire.device-maps";

    /** For subclasses. */
    protected DeviceCases() {}

    /** Form a group whose workers share as many devices. */
    private ThreadWorld devices(int count) {
        Assumptions.assumeTrue(
                Device.types().contains("cuda") && Device.count("cuda") >= count,
                "there are fewer than %d devices of type cuda; put org.gradwire.device.virtual on the module path"
                        .formatted(count));
        return world(WORLD_SIZE);
    }

    /** Map each worker's device to the device of the next rank. */
    private ThreadWorld mappedToNext() {
        ThreadWorld world = devices(WORLD_SIZE);
        for (int rank = 0; rank < WORLD_SIZE; rank++) {
            int next = (rank + 1) % WORLD_SIZE;
            world.with(rank, MAPS, "worker%d cuda:%d=cuda:%d".formatted(next, rank, next));
        }
        return world;
    }

    private static Device cuda(int index) {
        return new Device("cuda", index);
    }

    private static Tensor on(Device device, long seed, int... shape) {
        return Tensor.rand(new SplittableRandom(seed), shape).to(device).requiresGrad(true);
    }

    @Case("DA-094")
    void gradientsOfTensorsOnADeviceAreThere() {
        devices(1)
                .run(self -> {
                    Tensor t1 = on(cuda(0), 1, 3, 3);
                    Tensor t2 = on(cuda(0), 2, 3, 3);
                    t1.add(t2).sum().backward();
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        context.backward(t1.add(t2).sum());
                        Map<Tensor, Tensor> gradients = context.gradients();
                        assertEquals(2, gradients.size());
                        for (Tensor t : List.of(t1, t2)) {
                            Tensor gradient = Objects.requireNonNull(gradients.get(t));
                            assertEquals(cuda(0), gradient.device());
                            assertClose(Objects.requireNonNull(t.grad()), gradient);
                        }
                    }
                });
    }

    @Case("DA-095")
    void passesGoFromHostToDeviceAndBack() {
        devices(1).run(self -> continuation(self, false));
    }

    @Case("DA-096")
    void passesBeginOnADevice() {
        devices(1).run(self -> continuation(self, true));
    }

    private static void continuation(Rank self, boolean rootOnDevice) throws Exception {
        Tensor t1 = on(cuda(0), self.id(), 3, 3);
        Tensor t2 = random(self, 2);
        for (int i = 0; i < 3; i++) {
            t1.grad(null);
            t2.grad(null);
            List<@Nullable Tensor> expected =
                    localGradients(
                            List.of(chain(self, Mode.LOCAL, t1, t2, rootOnDevice)),
                            List.of(t1, t2));
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                Tensor root = chain(self, Mode.SYNC, t1, t2, rootOnDevice);
                assertEquals(rootOnDevice ? cuda(0) : Device.CPU, root.device());
                verify(context, List.of(root), expected, List.of(t1, t2));
                assertEquals(cuda(0), Objects.requireNonNull(context.gradients().get(t1)).device());
            }
        }
    }

    private static Tensor chain(Rank self, Mode mode, Tensor t1, Tensor t2, boolean rootOnDevice)
            throws Exception {
        String to = self.roundRobin();
        Tensor t3 = mode.run(self.rpc(), to, Ops::add, t2, t2);
        Tensor t4 = t3.to(cuda(0)).add(t1);
        Tensor t5 = mode.run(self.rpc(), to, Ops::add, t4.to(Device.CPU), t2);
        Tensor t6 = t5.to(cuda(0)).add(t4);
        if (rootOnDevice) {
            return t6.sum();
        }
        return mode.run(self.rpc(), to, Ops::add, t6.to(Device.CPU), t5).sum();
    }

    @Case("DA-099")
    void gradientsComeBackToTheDeviceOfTheirTensor() {
        mappedToNext()
                .run(self -> {
                    Device own = cuda(self.id());
                    Tensor t1 = on(own, 1, 10);
                    Tensor t2 = on(own, 2, 10);
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        Tensor sum = self.rpc().rpcSync(self.next(), Ops::add, t1, t2);
                        assertEquals(own, sum.device());
                        context.backward(sum.sum());
                        for (Tensor t : List.of(t1, t2)) {
                            Tensor gradient = Objects.requireNonNull(context.gradients().get(t));
                            assertEquals(own, gradient.device());
                            assertClose(Tensor.ones(10), gradient.to(Device.CPU));
                        }
                    }
                });
    }

    @Case("DA-100")
    void repeatedPassesThroughAProxyEqualLocalOnes() {
        mappedToNext()
                .run(self -> {
                    Device own = cuda(self.id());
                    String there = "cuda:" + (self.id() + 1) % WORLD_SIZE;
                    try (RRef<DeviceLayer> layer =
                            self.rpc()
                                    .remote(
                                            self.next(),
                                            DeviceLayer::on,
                                            there,
                                            Tensor.ones(1, 1))) {
                        for (int i = 0; i < 10; i++) {
                            Tensor input = on(own, i, 100, 1000);
                            Tensor factor = on(own, 100 + i, 100, 1000).requiresGrad(false);
                            List<@Nullable Tensor> expected =
                                    localGradients(
                                            List.of(input.mul(2).mul(factor).sum()),
                                            List.of(input));
                            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                                Tensor doubled = layer.rpcSync(DeviceLayer::twice, input);
                                assertEquals(own, doubled.device());
                                List<Tensor> roots = List.of(doubled.mul(factor).sum());
                                verify(context, roots, expected, List.of(input));
                            }
                        }
                    }
                });
    }

    @Case("DA-101")
    void layersOnDevicesOfSeveralWorkersHaveTheGradientsOfOneWorkersLayers() {
        ThreadWorld world = devices(WORLD_SIZE);
        for (int rank = 0; rank < WORLD_SIZE; rank++) {
            List<String> maps = new ArrayList<>();
            for (int peer = 0; peer < WORLD_SIZE; peer++) {
                if (peer != rank) {
                    maps.add("worker%d cuda:%d=cuda:%d".formatted(peer, rank, peer));
                }
            }
            world.with(rank, MAPS, String.join(",", maps));
        }
        world.runOnRank0(DeviceCases::layersOnSeveralWorkers);
    }

    /** {@return a tensor of float64: sums of float32 differ with the order, so with the device} */
    private static Tensor float64(Tensor tensor) {
        return tensor.to(DType.FLOAT64);
    }

    private static void layersOnSeveralWorkers(Rank self) {
        List<Tensor> weights = new ArrayList<>();
        List<RRef<DeviceLayer>> layers = new ArrayList<>();
        for (int rank = 1; rank < WORLD_SIZE; rank++) {
            Tensor weight = float64(Tensor.randn(new SplittableRandom(rank), 200, 200)).mul(0.1);
            weights.add(weight.to(cuda(0)).requiresGrad(true));
            layers.add(self.rpc().remote("worker" + rank, DeviceLayer::on, "cuda:" + rank, weight));
        }
        Tensor x = float64(Tensor.randn(new SplittableRandom(7), 500, 200)).to(cuda(0));
        Tensor local = x;
        for (Tensor weight : weights) {
            local = Ops.linear(local, weight, null);
        }
        local.sum().backward();
        try (AutogradContext context = DistAutograd.context(self.rpc())) {
            Tensor y = x;
            for (RRef<DeviceLayer> layer : layers) {
                y = layer.rpcSync(DeviceLayer::forward, y);
                assertEquals(cuda(0), y.device());
            }
            context.backward(y.sum());
            for (int i = 0; i < layers.size(); i++) {
                Tensor gradient =
                        self.rpc()
                                .rpcAsync(
                                        layers.get(i).owner().name(),
                                        DeviceLayer::gradient,
                                        layers.get(i),
                                        context.id())
                                .join();
                assertNotNull(gradient);
                Tensor expected = Objects.requireNonNull(weights.get(i).grad());
                assertClose(expected.to(Device.CPU), gradient);
            }
        }
        layers.forEach(RRef::close);
    }
}
