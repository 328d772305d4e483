package org.gradwire.conformance.processes;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Program of a worker whose group's last member is killed or stopped. Reads commands and answers
 * each with a line: {@code begin KIND SEED} starts {@link Traffic}, {@code stop} ends it and prints
 * violations, {@code figures} prints counts, {@code more N} waits for N more successes, {@code
 * lost} waits for a failure, {@code kinds} prints the kinds of the failures, {@code last} calls the
 * last member and prints the result, {@code clean} waits until nothing of it is left, {@code leave}
 * shuts down gracefully.
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

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new TrafficWorker(rpc)::obey);
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
            default -> throw CommandLoop.unknown(words);
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
        for (String metric : FIGURES) {
            String value = rpc.debugInfo().get(metric);
            if (!"0".equals(value)) {
                left.add(metric + "=" + value);
            }
        }
        return left;
    }

    /** Shut down gracefully; return success, or the error. */
    private String leave() {
        try {
            rpc.shutdown();
            return "ended";
        } catch (RuntimeException e) {
            return "ended with " + e;
        }
    }
}
