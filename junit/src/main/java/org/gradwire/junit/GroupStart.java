package org.gradwire.junit;

import org.gradwire.rpc.Rpc;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts the workers of a group, each on its own thread. */
final class GroupStart {
    private final List<CompletableFuture<Rpc>> joining = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private GroupStart() {}

    /**
     * Start all workers of a group, or none.
     *
     * @throws org.junit.jupiter.api.extension.ExtensionConfigurationException when a worker cannot
     *     start
     */
    static List<Rpc> start(GroupPlan plan) {
        var start = new GroupStart();
        String meeting = "inproc://gradwire-junit-" + UUID.randomUUID();
        for (int rank = 0; rank < plan.size(); rank++) {
            start.join(plan, rank, meeting);
        }
        boolean complete = false;
        try {
            List<Rpc> workers = start.await(plan);
            complete = true;
            return workers;
        } finally {
            if (!complete) {
                start.giveUp();
            }
        }
    }

    private void join(GroupPlan plan, int rank, String meeting) {
        var joined = new CompletableFuture<Rpc>();
        joining.add(joined);
        threads.add(
                Thread.ofVirtual()
                        .name("gradwire-junit-" + rank)
                        .start(() -> {
                            try {
                                Rpc rpc = Rpc.init(plan.options(rank, meeting));
                                if (!joined.complete(rpc)) {
                                    rpc.shutdownNow(); // no thread waits for this future now
                                }
                            } catch (RuntimeException | Error e) {
                                joined.completeExceptionally(e);
                            }
                        }));
    }

    private List<Rpc> await(GroupPlan plan) {
        CompletableFuture<Void> all =
                CompletableFuture.allOf(joining.toArray(CompletableFuture[]::new));
        for (CompletableFuture<Rpc> each : joining) {
            var _ = each.whenComplete((_, failure) -> failAll(all, failure));
        }
        try {
            all.get(plan.timeout().toNanos(), TimeUnit.NANOSECONDS);
            return joining.stream().map(CompletableFuture::join).toList();
        } catch (ExecutionException e) {
            Throwable cause = cause(e);
            throw plan.cannotStart(String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException e) {
            throw plan.cannotStart(
                    "its workers have not joined within %d s".formatted(plan.timeout().toSeconds()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw plan.cannotStart("the thread was interrupted", e);
        }
    }

    /** Fail all futures, since the other workers would wait for a failed one. */
    private static void failAll(CompletableFuture<Void> all, @Nullable Throwable failure) {
        if (failure != null) {
            all.completeExceptionally(failure);
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof ExecutionException || cause instanceof CompletionException) {
            Throwable next = cause.getCause();
            if (next == null) {
                return cause;
            }
            cause = next;
        }
        return cause;
    }

    private void giveUp() {
        for (CompletableFuture<Rpc> each : joining) {
            if (!each.cancel(/* mayInterruptIfRunning= */ false)
                    && !each.isCompletedExceptionally()) {
                each.join().shutdownNow();
            }
        }
        threads.forEach(Thread::interrupt);
    }
}
