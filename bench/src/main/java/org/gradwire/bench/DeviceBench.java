package org.gradwire.bench;

import org.gradwire.bench.process.TemporaryDirectories;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * {@code ./gradwire bench --device cuda:0}: operators and training steps on a device, in turns with
 * PyTorch, and an echo between the two workers from device to device.
 */
final class DeviceBench {
    private static final String NOTE =
            "x: how many times better gradwire is, above 1. limit: two copies of the tensor on the device.";

    private DeviceBench() {}

    /** Measure as the first worker, or serve it. */
    static void run(Options options, Device device, boolean first) throws Exception {
        try (Rpc rpc = Rpc.init(mapped(device))) {
            if (first) {
                measure(rpc, options, device);
            }
        }
    }

    /** Map the device to the other worker's; the launcher's names end with the rank. */
    private static RpcOptions mapped(Device device) {
        String name = System.getenv().getOrDefault("GRADWIRE_NAME", "worker0");
        String other = name.endsWith("0") ? "1" : "0";
        return RpcOptions.builder()
                .deviceMap(
                        name.substring(0, name.length() - 1) + other,
                        Map.of(device.toString(), device.toString()))
                .build();
    }

    private static void measure(Rpc rpc, Options options, Device device) throws Exception {
        Path folder = Files.createTempDirectory("gradwire-bench");
        List<Subject> subjects = new ArrayList<>();
        try {
            addOurs(rpc, options, device, subjects);
            if (options.wants(PyTorch.NAME)) {
                addPyTorch(options, device, folder, subjects);
            }
            var results = new Comparison(options, subjects).run();
            new Report(subjects.stream().map(Subject::name).toList(), results).print(options, NOTE);
        } finally {
            subjects.forEach(Subject::close);
            TemporaryDirectories.delete(folder);
        }
    }

    private static void addOurs(Rpc rpc, Options options, Device device, List<Subject> subjects) {
        String peer = rpc.worker(1).name();
        var echo = new DeviceEcho(rpc, peer, device);
        if (options.wants(Report.OURS)) {
            var workloads = new EnumMap<Metric, Workload>(Metric.class);
            workloads.putAll(new DeviceWorkloads(device).all(options::wants));
            workloads.putAll(echo.all(options::wants));
            subjects.add(
                    Subject.of(
                            Report.OURS,
                            workloads,
                            () -> rpc.runSync(peer, PeerFunctions::settle)));
        }
        if (options.wants(MachineLimits.NAME)) {
            subjects.add(Subject.of(MachineLimits.NAME, echo.limits(options::wants), () -> {}));
        }
    }

    private static void addPyTorch(
            Options options, Device device, Path folder, List<Subject> subjects)
            throws IOException {
        var pytorch = PyTorch.startOn(device, options.python(), folder);
        if (pytorch.isEmpty()) {
            System.out.println(PyTorch.DEVICE_HINT);
            return;
        }
        subjects.add(Math.min(1, subjects.size()), pytorch.get());
        pytorch.get().awaitReady();
    }
}
