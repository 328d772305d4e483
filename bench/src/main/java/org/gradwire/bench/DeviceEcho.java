package org.gradwire.bench;

import org.gradwire.rpc.NonRetaining;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.Arrays;
import java.util.Map;

/**
 * Measures the echo of tensors on a device between two processes, which each run this program with
 * the rank as its first argument and the rendezvous as its second.
 */
public final class DeviceEcho {
    private static final int ROUNDS = 200;
    private static final int WARM_UP = 100;
    private static final Device DEVICE = new Device("cuda", 0);

    private DeviceEcho() {}

    /** Return a tensor. */
    @RemoteCallable
    @NonRetaining
    public static Tensor echo(Tensor tensor) {
        return tensor;
    }

    private static long median(Runnable call) {
        long[] times = new long[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            long start = System.nanoTime();
            try (var _ = TensorScope.open()) {
                call.run();
                DEVICE.synchronize();
            }
            if (i >= 0) {
                times[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(times);
        return times[ROUNDS / 2];
    }

    private static void measure(Rpc rpc, int megabytes) {
        Tensor tensor = Tensor.full(DType.FLOAT32, DEVICE, 0.5, megabytes << 18);
        Tensor back = rpc.rpcSync("worker1", DeviceEcho::echo, tensor);
        if (megabytes == 1) {
            Tensor small = Tensor.ones(4);
            System.out.printf(
                    "call %d%n", median(() -> rpc.rpcSync("worker1", DeviceEcho::echo, small)));
        }
        if (!back.device().equals(DEVICE) || back.sum().item() != tensor.sum().item()) {
            throw new AssertionError("the echo of %s is %s".formatted(tensor, back));
        }
        System.out.printf(
                "echo%d %d%n",
                megabytes,
                median(() -> {
                    var scope = TensorScope.open();
                    try (scope) {
                        scope.add(rpc.rpcSync("worker1", DeviceEcho::echo, tensor));
                    }
                }));
        System.out.printf("copy%d %d%n", megabytes, median(() -> tensor.add(0)));
    }

    /** Run one of the two processes. */
    public static void main(String[] args) {
        int rank = Integer.parseInt(args[0]);
        RpcOptions options =
                RpcOptions.builder("worker" + rank)
                        .rank(rank)
                        .worldSize(2)
                        .rendezvous(args[1])
                        .deviceMap("worker" + (1 - rank), Map.of("cuda:0", "cuda:0"))
                        .build();
        try (Rpc rpc = Rpc.init(options)) {
            if (rank == 0) {
                for (int megabytes : new int[] {1, 8, 256}) {
                    measure(rpc, megabytes);
                }
                System.out.println(rpc.debugInfo().get("num_shared_device_tensors"));
            }
        }
    }
}
