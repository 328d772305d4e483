package org.gradwire.checkpoint.tests;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.Rpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The members of a process group, each on a thread. */
final class Members {
    static final Duration LIMIT = Duration.ofSeconds(40);

    private Members() {}

    /** The part of one member. */
    interface Member<T> {
        T run(Rpc rpc, ProcessGroup group) throws Exception;
    }

    static List<String> names(List<Rpc> workers) {
        return workers.stream().map(rpc -> rpc.self().name()).toList();
    }

    /** Run the members of a group of workers; return their results, by rank. */
    static <T> List<T> run(List<Rpc> workers, Member<T> member) {
        List<CompletableFuture<T>> running = new ArrayList<>();
        for (Rpc rpc : workers) {
            CompletableFuture<T> result = new CompletableFuture<>();
            running.add(result);
            Thread.ofPlatform()
                    .start(() -> {
                        try (var group = ProcessGroup.of(rpc, "trainers", names(workers), LIMIT)) {
                            result.complete(member.run(rpc, group));
                        } catch (Exception | AssertionError e) {
                            result.completeExceptionally(e);
                        }
                    });
        }
        return running.stream().map(CompletableFuture::join).toList();
    }
}
