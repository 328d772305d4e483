package org.gradwire.conformance.processes;

import org.gradwire.conformance.functions.ProcessFunctions;
import org.gradwire.conformance.functions.TrafficFunctions;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker of a group whose last member is going to be killed or stopped. Reads what to do, and
 * prints what came of it, a line each: {@code begin KIND SEED} begins {@link Traffic}, {@code stop}
 * ends it and tells what was not in order, {@code figures} tells how much there was, {@code more N}
 * waits until so much more was done, {@code lost} waits until something has failed, {@code kinds}
 * tells of which kinds the failures were, {@code last} calls the last member and tells how that
 * ended, {@code clean} waits until nothing is left of it, {@code leave} leaves the group in the
 * orderly way.
 */
public final class TrafficWorker {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final List<String> FIGURES =
            List.of(
                    "num_owner_rrefs",
                    "num_forks",
                    "num_pending_users",
                    "num_autograd_contexts",
                    "num_current_backward_passes",
                    "agent.client_active_calls",
                    "agent.server_active_calls");

    private final Rpc rpc;
    private @Nullable Traffic traffic;

    private TrafficWorker(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Take part in the group of the environment. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        var worker = new TrafficWorker(rpc);
        IO.println("ready");
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            IO.println(words[0] + " " + worker.obey(words));
        }
        rpc.shutdownNow();
    }

    private String obey(String[] words) throws InterruptedException {
        return switch (words[0]) {
            case "begin" -> begin(Traffic.Kind.valueOf(words[1]), Long.parseLong(words[2]));
            case "stop" -> traffic().stop(PATIENCE);
            case "lost" -> "failed=" + traffic().awaitFailure(PATIENCE);
            case "more" -> more(Long.parseLong(words[1]));
            case "kinds" -> traffic().kinds().toString();
            case "last" -> callLast();
            case "figures" -> traffic().figures();
            case "clean" -> clean();
            case "leave" -> leave();
            default ->
                    throw new IllegalArgumentException(
                            "what does '" + String.join(" ", words) + "' mean?");
        };
    }

    private Traffic traffic() {
        return Objects.requireNonNull(traffic, "'begin' comes first");
    }

    private String begin(Traffic.Kind kind, long seed) {
        traffic = new Traffic(rpc, kind, seed);
        traffic.start();
        return "now";
    }

    private String more(long number) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long before = traffic().done();
        while (traffic().done() - before < number && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return "enough=" + (traffic().done() - before >= number);
    }

    private String callLast() {
        String last = "worker" + (rpc.workers().size() - 1);
        long start = System.nanoTime();
        String how;
        try {
            how = "id=" + rpc.rpcSync(last, ProcessFunctions::id);
        } catch (RpcException e) {
            how = e.kind().name();
        }
        return "%s %d".formatted(how, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    private String clean() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> left = left();
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
            left = left();
        }
        return "left=%s repeated=%d".formatted(left, TrafficFunctions.repeated(rpc));
    }

    private List<String> left() {
        List<String> left = new ArrayList<>();
        for (String figure : FIGURES) {
            String value = rpc.debugInfo().get(figure);
            if (!"0".equals(value)) {
                left.add(figure + "=" + value);
            }
        }
        return left;
    }

    /** Leave, whatever the others do: with success, or with an error that says what was missing. */
    private String leave() {
        try {
            rpc.shutdown();
            return "ended";
        } catch (RuntimeException e) {
            return "ended with " + e;
        }
    }
}
