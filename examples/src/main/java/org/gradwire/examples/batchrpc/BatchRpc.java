package org.gradwire.examples.batchrpc;

import org.gradwire.examples.Arguments;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code ./gradwire run batch-rpc}: the first worker is an agent that learns to balance poles, all
 * others observe one each. Each observer calls the agent at each step; the agent computes the
 * actions of all observers in one forward pass, and, for comparison, in one pass each.
 */
public final class BatchRpc {
    private static final int WARM_UP_EPISODES = 2;

    private final Rpc rpc;
    private final Options options;
    private final int observers;

    private BatchRpc(Rpc rpc, Options options) {
        this.rpc = rpc;
        this.options = options;
        this.observers = (rpc.workers().size() - 1) * options.observers();
    }

    public static void main(String[] args) {
        Options options = Arguments.parse(new Options(), args);
        boolean equal;
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            equal = run(rpc, options);
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /**
     * Run this worker's role. An observer only serves, until the group's shutdown.
     *
     * @return whether the agent chose the same actions as in a single process
     */
    static boolean run(Rpc rpc, Options options) {
        if (rpc.workers().size() < 2) {
            throw new IllegalArgumentException(
                    "batch-rpc needs 2 workers or more, an agent and observers, but there is 1; use --workers");
        }
        return rpc.self().id() != 0 || new BatchRpc(rpc, options).compare();
    }

    private boolean compare() {
        System.out.printf(
                "%d observers, %d episodes of %d steps each%n",
                observers, options.episodes(), options.steps());
        var _ = learn(1, WARM_UP_EPISODES);
        boolean equal = check("batched", learn(observers, options.episodes()), /* batched= */ true);
        equal &= check("one by one", learn(1, options.episodes()), /* batched= */ false);
        System.out.println(
                """
                Look at how long the poles stand, which rises, and that every action is the one process's. A batch saves
                computing, but waits for the slowest observer: it pays where the model is large (--hidden) or observers are many.\
                """);
        return equal;
    }

    /**
     * The result of a run.
     *
     * @param episodes the observers' episodes, round by round
     * @param batches number of forward passes
     * @param computingNanos time of the forward passes
     * @param nanos time of all episodes, without learning
     */
    private record Run(
            List<List<Episode>> episodes, int batches, long computingNanos, long nanos) {}

    private Run learn(int batchSize, int count) {
        var policy = new Policy(observers, options.hidden(), options.seed());
        var agent = new Agent(policy, batchSize);
        List<RRef<Observer>> all = new ArrayList<>();
        for (int i = 0; i < observers; i++) {
            String host = rpc.worker(1 + i / options.observers()).name();
            all.add(rpc.remote(host, Observer::new, i, options.seed()));
        }
        try (RRef<Agent> self = rpc.rref(agent)) {
            List<List<Episode>> episodes = new ArrayList<>();
            long nanos = 0;
            for (int i = 0; i < count; i++) {
                long start = System.nanoTime();
                episodes.add(observe(all, self));
                nanos += System.nanoTime() - start;
                policy.learn(episodes.getLast());
            }
            return new Run(episodes, agent.batches(), agent.computingNanos(), nanos);
        } finally {
            all.forEach(RRef::close);
        }
    }

    private List<Episode> observe(List<RRef<Observer>> all, RRef<Agent> agent) {
        return rpc.collectAll(
                        all.stream()
                                .map(observer ->
                                        observer.rpcAsync(
                                                Observer::observe, agent, options.steps()))
                                .toList())
                .join();
    }

    private boolean check(String name, Run run, boolean batched) {
        List<List<Episode>> expected = new SingleProcess(options, observers).run(batched);
        boolean equal = run.episodes.equals(expected);
        int actions = observers * options.episodes() * options.steps();
        System.out.printf(
                "%s: the poles stood %.0f steps between falls in the first episode, %.0f in the last quarter; against one"
                        + " process: %s%n",
                name,
                standing(run.episodes.subList(0, 1)),
                standing(run.episodes.subList(options.episodes() * 3 / 4, options.episodes())),
                equal ? "all actions and falls equal" : "DIFFERENT");
        System.out.printf(
                "%s: %d actions by %d forward passes of %.1f calls, %.0f us of computing for an action; %,.0f actions/s%n",
                name,
                actions,
                run.batches,
                (double) actions / run.batches,
                run.computingNanos / 1e3 / actions,
                actions / (run.nanos / 1e9));
        return equal;
    }

    private double standing(List<List<Episode>> episodes) {
        long falls = episodes.stream().flatMap(List::stream).mapToLong(Episode::falls).sum();
        long steps = (long) episodes.size() * observers * options.steps();
        return (double) steps / Math.max(1, falls);
    }
}
