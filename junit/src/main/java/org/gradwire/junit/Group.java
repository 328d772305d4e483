package org.gradwire.junit;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.ArrayList;
import java.util.List;

/** The group of one test, from its start to its end. */
final class Group {
    private final GroupPlan plan;
    private final Workers workers;

    private Group(GroupPlan plan, Workers workers) {
        this.plan = plan;
        this.workers = workers;
    }

    static Group start(GroupPlan plan) {
        return new Group(plan, new Workers(GroupStart.start(plan), plan.seed()));
    }

    Workers workers() {
        return workers;
    }

    /** {@return whether the test may depend on the seed} */
    boolean seedMatters() {
        return plan.drawn() || workers.seedUsed();
    }

    private String hint() {
        int seed = plan.seed();
        return "the seed was %d; to replay the run: -D%s=%d"
                .formatted(seed, GroupPlan.SEED_PROPERTY, seed);
    }

    /** End after a failed test, and name the seed in its failure. */
    void endAfter(Throwable failure) {
        stop().forEach(failure::addSuppressed);
        if (seedMatters()) {
            failure.addSuppressed(new ReplayHint(hint()));
        }
    }

    /**
     * End after a passed test.
     *
     * @throws AssertionError when the test left a resource open, or the group does not end
     */
    void end() {
        List<Rpc> living = workers.all().stream().filter(Group::lives).toList();
        List<String> left =
                plan.wanted().checkLeaks() ? ResourceLeaks.of(living, plan) : List.<String>of();
        if (!left.isEmpty()) {
            stop(); // later failures follow from the open resources
            throw new AssertionError(text("the test left something open:", left));
        }
        List<Throwable> failures =
                living.size() == workers.size() ? GroupShutdown.leave(workers.all(), plan) : stop();
        if (!failures.isEmpty()) {
            List<String> messages = failures.stream().map(Group::message).toList();
            var error =
                    new AssertionError(
                            text("the test passed, but its group failed to shut down:", messages));
            failures.forEach(error::addSuppressed);
            throw error;
        }
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }

    private String text(String first, List<String> rest) {
        List<String> lines = new ArrayList<>(List.of(first));
        rest.forEach(line -> lines.add("  " + line));
        if (seedMatters()) {
            lines.add(hint());
        }
        return String.join("\n", lines);
    }

    /** {@return whether a worker still runs; a test may end one} */
    private static boolean lives(Rpc rpc) {
        try {
            return !rpc.workers().isEmpty();
        } catch (RpcException e) {
            if (e.kind() == RpcErrorKind.SHUTDOWN) {
                return false;
            }
            throw e;
        }
    }

    /** Stop all workers immediately; {@return the failures} */
    private List<Throwable> stop() {
        List<Throwable> failures = new ArrayList<>();
        for (Rpc rpc : workers) {
            try {
                rpc.shutdownNow();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        return failures;
    }
}
