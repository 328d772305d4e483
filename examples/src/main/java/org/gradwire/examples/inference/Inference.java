package org.gradwire.examples.inference;

import org.gradwire.autograd.GradMode;
import org.gradwire.examples.Arguments;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.SplittableRandom;

/**
 * {@code ./gradwire run inference}: the first worker sends requests to replicas of a model on the
 * other workers: to one replica, to two, up to all, of which one then fails. The group is dynamic,
 * so that it survives the loss of a member.
 */
public final class Inference {
    private static final int FRONT = 0;
    private static final double LIMIT = 1e-5; // floats summed in another order

    private final Rpc rpc;
    private final List<RRef<Replica>> replicas;
    private final List<Tensor> requests;
    private final Tensor expected;

    private Inference(Rpc rpc, Options options, List<String> workers) {
        this.rpc = rpc;
        this.replicas =
                workers.stream()
                        .map(worker -> rpc.remote(worker, Replica::new, options.seed()))
                        .toList();
        var random = new SplittableRandom(options.seed());
        Tensor features = Tensor.randn(random, options.requests(), Replica.FEATURES);
        this.requests = features.unbind(0);
        this.expected = GradMode.noGrad(() -> Replica.model(options.seed()).forward(features));
    }

    public static void main(String[] args) throws InterruptedException {
        Options options = Arguments.parse(new Options(), args);
        boolean equal;
        try (Rpc rpc = Rpc.init(RpcOptions.builder().dynamicGroup().build())) {
            equal = run(rpc, options, () -> Runtime.getRuntime().halt(0));
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /**
     * Run this worker's role.
     *
     * @param crash ends a worker without a shutdown
     * @return whether all results equal those of the model in one process
     */
    static boolean run(Rpc rpc, Options options, Runnable crash) throws InterruptedException {
        if (rpc.self().id() != FRONT) {
            serve(rpc, crash);
            return true;
        }
        try {
            return new Inference(rpc, options, Registry.await(options.replicas(), rpc)).measure();
        } finally {
            rpc.workers().stream()
                    .filter(worker -> !worker.equals(rpc.self()))
                    .map(WorkerInfo::name)
                    .forEach(name -> shutDown(rpc, name));
        }
    }

    /** Request the worker's shutdown, unless it is lost. */
    private static void shutDown(Rpc rpc, String name) {
        try {
            rpc.runSync(name, Lifetime::leave);
        } catch (RpcConnectionException e) {
            System.out.println(name + " could not be shut down: " + e.getMessage());
        }
    }

    private static void serve(Rpc rpc, Runnable crash) {
        Registry.announceTo(FRONT, rpc);
        if (Lifetime.of(rpc).awaitFailure()) {
            crash.run();
        }
    }

    private boolean measure() {
        System.out.printf(
                "%d requests to %d replicas, %d cores%n",
                requests.size(), replicas.size(), Runtime.getRuntime().availableProcessors());
        var _ = load(new Balancer(rpc, replicas), () -> {}); // warms up
        boolean equal = true;
        for (int count = 1; count <= replicas.size(); count++) {
            List<RRef<Replica>> some = replicas.subList(0, count);
            int before = batches(some);
            Load load = load(new Balancer(rpc, some), () -> {});
            System.out.printf(
                    "replicas: %d; %s, %.1f requests a batch%n",
                    count, describe(load), (double) requests.size() / (batches(some) - before));
            equal &= equal(load);
        }
        equal &= loseOne();
        System.out.println(
                """
                Look at the differences, when a replica fails too: its requests wait until the loss is noticed, and others answer
                them. Requests per second rise with replicas as far as these have cores.\
                """);
        replicas.forEach(RRef::close);
        return equal;
    }

    private Load load(Balancer balancer, Runnable atHalf) {
        return Load.run(rpc, balancer, requests, atHalf);
    }

    private static int batches(List<RRef<Replica>> replicas) {
        return replicas.stream().mapToInt(replica -> replica.rpcSync(Replica::batches)).sum();
    }

    /** Fail one replica under load; skipped with a single one, which has no substitute. */
    private boolean loseOne() {
        if (replicas.size() < 2) {
            return true;
        }
        var balancer = new Balancer(rpc, replicas);
        Load load = load(balancer, this::failLast);
        System.out.printf(
                "%s failed half way; %s, %d requests sent again%n",
                replicas.getLast().owner().name(), describe(load), balancer.sentAgain());
        return equal(load) && balancer.living() == replicas.size() - 1;
    }

    /** Make the last replica fail; the reply to this call may be lost too. */
    private void failLast() {
        try {
            replicas.getLast().runSync(Replica::failAtNextRequest);
        } catch (RpcConnectionException _) {
            // it already failed at a request
        }
    }

    private String describe(Load load) {
        return "%,.0f requests/s, p50 %.1f ms, p99 %.1f ms, largest difference %.1e (%s)"
                .formatted(
                        load.perSecond(),
                        load.millis(0.5),
                        load.millis(0.99),
                        difference(load),
                        equal(load) ? "equal" : "DIFFERENT, the limit is " + LIMIT);
    }

    private double difference(Load load) {
        return load.scores().sub(expected).abs().max().item();
    }

    private boolean equal(Load load) {
        return difference(load) < LIMIT;
    }
}
