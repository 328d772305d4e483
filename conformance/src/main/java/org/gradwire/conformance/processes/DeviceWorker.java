package org.gradwire.conformance.processes;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Program of one of two workers with tensors on {@code cuda:0}. Reads commands and answers each
 * with a line: {@code exchange SEED} calls the other worker with small and large tensors, {@code
 * expect KEY N} waits until a key of the debug info has a value, {@code send} begins a call, and
 * {@code outcome} waits for it.
 */
public final class DeviceWorker {
    private static final String DEVICE = "cuda:0";

    /** The elements of the tensors of an exchange; as many come back. */
    public static final List<Integer> SIZES = List.of(1, 16, 1000, 1 << 20);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Rpc rpc;
    private final String other;
    private @Nullable RpcFuture<Tensor> call;

    private DeviceWorker(Rpc rpc, String other) {
        this.rpc = rpc;
        this.other = other;
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        String other = "worker" + (1 - Integer.parseInt(System.getenv("GRADWIRE_RANK")));
        Rpc rpc = Rpc.init(RpcOptions.builder().deviceMap(other, Map.of(DEVICE, DEVICE)).build());
        CommandLoop.run(rpc, new DeviceWorker(rpc, other)::obey);
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "exchange" -> exchange(new Random(Long.parseLong(words[1])));
            case "send" -> {
                Tensor x = Tensor.ones(SIZES.getLast()).to(Device.parse(DEVICE));
                call = rpc.rpcAsync(other, DeviceFunctions::doubled, x);
                yield "begun";
            }
            case "expect" -> CommandLoop.await(() -> figure(words[1]), words[2], PATIENCE);
            case "outcome" -> outcome();
            default -> throw CommandLoop.unknown(words);
        };
    }

    /** {@return whether each result is right, and where it is; arguments must not have changed} */
    private String exchange(Random random) {
        boolean right = true;
        for (int size : SIZES) {
            Tensor here = Tensor.rand(random, size);
            Tensor x = here.to(Device.parse(DEVICE));
            Tensor result = rpc.rpcSync(other, DeviceFunctions::doubled, x);
            right &= result.device().equals(x.device());
            right &= result.to(Device.CPU).equal(here.mul(2)) && x.to(Device.CPU).equal(here);
        }
        return "right=" + right;
    }

    private String figure(String key) {
        return String.valueOf(rpc.debugInfo().get(key));
    }

    private String outcome() {
        RpcFuture<Tensor> begun = call;
        if (begun == null) {
            throw new IllegalStateException("outcome before send");
        }
        try {
            return "sum=" + begun.join().sum().item();
        } catch (RpcException e) {
            return e.kind().toString();
        }
    }
}
