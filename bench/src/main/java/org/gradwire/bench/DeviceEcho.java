package org.gradwire.bench;

import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The echo of tensors on a device between two processes, and what bounds it. */
final class DeviceEcho {
    private static final Set<Metric> ECHOES =
            EnumSet.range(Metric.DEVICE_ECHO_1_MIB, Metric.DEVICE_ECHO_256_MIB);

    private final Rpc rpc;
    private final String peer;
    private final Device device;

    DeviceEcho(Rpc rpc, String peer, Device device) {
        this.rpc = rpc;
        this.peer = peer;
        this.device = device;
    }

    /** {@return the calls and echoes that are wanted} */
    Map<Metric, Workload> all(Predicate<Metric> wanted) {
        Map<Metric, Workload> all = new EnumMap<>(Metric.class);
        if (wanted.test(Metric.DEVICE_CALL)) {
            Tensor small = Tensor.ones(4);
            all.put(
                    Metric.DEVICE_CALL,
                    Workload.latency(() -> rpc.rpcSync(peer, PeerFunctions::echo, small)));
        }
        ECHOES.stream().filter(wanted).forEach(metric -> all.put(metric, echo(metric)));
        return all;
    }

    private Workload echo(Metric metric) {
        Tensor tensor = tensor(metric);
        Tensor back = rpc.rpcSync(peer, PeerFunctions::echo, tensor);
        if (!back.device().equals(device) || back.sum().item() != tensor.sum().item()) {
            throw new AssertionError("the echo of %s is %s".formatted(tensor, back));
        }
        return Workload.latency(() -> {
            try (var scope = TensorScope.open()) {
                scope.add(rpc.rpcSync(peer, PeerFunctions::echo, tensor));
                device.synchronize();
            }
        });
    }

    /** {@return for each echo, two copies on the device, one for each way} */
    Map<Metric, Workload> limits(Predicate<Metric> wanted) {
        Map<Metric, Workload> all = new EnumMap<>(Metric.class);
        ECHOES.stream().filter(wanted).forEach(metric -> all.put(metric, copies(tensor(metric))));
        return all;
    }

    private Workload copies(Tensor tensor) {
        return Workload.latency(() -> {
            try (var _ = TensorScope.open()) {
                tensor.copy().copy();
                device.synchronize();
            }
        });
    }

    private Tensor tensor(Metric metric) {
        return Tensor.full(DType.FLOAT32, device, 0.5, (int) metric.work() / Float.BYTES);
    }
}
