package org.gradwire.conformance.processes;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Continuous random operations of a worker, drawn from a seed, while another worker may be killed
 * or stopped. Each result is checked; operations that involve the doomed worker may fail.
 */
final class Traffic {
    private static final int[] SIZES = {0, 10, 1000, 70_000};
    private static final int HOPS = 3;

    /** A kind of operation. */
    enum Kind {
        CALLS,
        REFERENCES,
        BACKWARD
    }

    private final Rpc rpc;
    private final Kind kind;
    private final Random random;
    private final String doomed;
    private final List<String> others = new ArrayList<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Set<RpcErrorKind> kinds = ConcurrentHashMap.newKeySet();
    private final CountDownLatch firstFailure = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean isStopped;

    Traffic(Rpc rpc, Kind kind, long seed) {
        this.rpc = rpc;
        this.kind = kind;
        this.random = new Random(seed + rpc.self().id());
        this.doomed = "worker" + (rpc.workers().size() - 1);
        rpc.workers().forEach(worker -> others.add(worker.name()));
        others.remove(rpc.self().name());
        thread = Thread.ofPlatform().daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Stop; {@return a summary of all operations, once they have ended} */
    String stop(Duration patience) throws InterruptedException {
        isStopped = true;
        boolean ended = thread.join(patience);
        return "ended=%s violations=%s".formatted(ended, violations);
    }

    /** {@return the numbers of successes and of failures with the doomed worker} */
    String figures() {
        return "done=%d failed=%d".formatted(done.get(), failed.get());
    }

    /** {@return the number of successes} */
    long done() {
        return done.get();
    }

    /** {@return the kinds of the failures with the doomed worker} */
    Set<RpcErrorKind> kinds() {
        return Set.copyOf(kinds);
    }

    /** Wait for a failure with the doomed worker; {@return the number of failures} */
    long awaitFailure(Duration patience) throws InterruptedException {
        var _ = firstFailure.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        return failed.get();
    }

    private void run() {
        for (long number = 0; !isStopped; number++) {
            var way = new ArrayList<String>();
            for (int i = 0; i < HOPS; i++) {
                way.add(others.get(random.nextInt(others.size())));
            }
            String wrong = attempt(number, way);
            if (wrong == null) {
                done.incrementAndGet();
            } else if (way.contains(doomed) || isHere(doomed)) {
                failed.incrementAndGet();
                firstFailure.countDown();
                others.removeAll(isHere(doomed) ? way : List.of(doomed));
            } else {
                violations.add(wrong);
            }
            if (others.isEmpty()) {
                return;
            }
        }
    }

    private boolean isHere(String name) {
        return rpc.self().name().equals(name);
    }

    /** Run one operation; {@return its failure, or null} */
    private @Nullable String attempt(long number, List<String> way) {
        try {
            return switch (kind) {
                case CALLS -> call(number, way);
                case REFERENCES -> refer(way);
                case BACKWARD -> goBackward(way);
            };
        } catch (RuntimeException e) {
            kinds.add(e instanceof RpcException failure ? failure.kind() : RpcErrorKind.UNKNOWN);
            return "%s %s by way of %s: %s".formatted(kind, number, way, e);
        }
    }

    private @Nullable String call(long number, List<String> way) {
        Tensor payload = Tensor.ones(SIZES[random.nextInt(SIZES.length)]);
        way.subList(1, way.size()).clear();
        double answer =
                rpc.rpcSync(
                        way.getFirst(), TrafficFunctions::run, rpc.self().id(), number, payload);
        return expect((double) number + payload.numel(), answer);
    }

    private @Nullable String refer(List<String> way) {
        way.subList(2, way.size()).clear();
        int size = SIZES[random.nextInt(SIZES.length)];
        try (RRef<Tensor> two =
                rpc.remote(way.get(0), Ops::add, Tensor.ones(size), Tensor.ones(size))) {
            double sum = rpc.rpcSync(way.get(1), TrafficFunctions::sumOf, two);
            return expect(2.0 * size, sum);
        }
    }

    private @Nullable String goBackward(List<String> way) {
        Tensor weight = Tensor.full(3.0, 2, 2).requiresGrad(true);
        try (var context = DistAutograd.context(rpc)) {
            Tensor product = weight;
            for (String worker : way) {
                product = rpc.rpcSync(worker, Ops::mul, product, weight);
            }
            context.backward(product.sum());
            Tensor gradient = context.gradients().get(weight);
            double each = 4 * 3 * 3 * 3; // derivative of the weight to the fourth power
            return expect(4 * each, gradient == null ? Double.NaN : gradient.sum().item());
        }
    }

    private static @Nullable String expect(double expected, double actual) {
        return expected == actual ? null : "%s instead of %s".formatted(actual, expected);
    }
}
