package org.gradwire.nn.parallel.tests;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerInfo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The members of a process group, each on a thread. */
final class Members {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private Members() {}

    /** The part of one member. */
    interface Member<T> {
        T run(Rpc rpc, ProcessGroup group);
    }

    /** Run the members of a group of all workers; return their results, by rank. */
    static <T> List<T> run(List<Rpc> workers, Member<T> member) {
        return start(workers, member).stream().map(CompletableFuture::join).toList();
    }

    /** Begin what {@link #run} runs. */
    static <T> List<CompletableFuture<T>> start(List<Rpc> workers, Member<T> member) {
        List<String> names = workers.getFirst().workers().stream().map(WorkerInfo::name).toList();
        List<CompletableFuture<T>> running = new ArrayList<>();
        for (Rpc rpc : workers) {
            running.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                try (var group = ProcessGroup.of(rpc, "trainers", names, LIMIT)) {
                                    return member.run(rpc, group);
                                }
                            },
                            task -> Thread.ofPlatform().start(task)));
        }
        return running;
    }
}
