package org.gradwire.examples.train;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerInfo;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The roles of workers: the last two are parameter servers, all others train.
 *
 * @param trainers names of the trainers; the first also reports
 * @param embeddingServer name of the worker with the embedding
 * @param headServer name of the worker with the output layers
 */
record Roles(List<String> trainers, String embeddingServer, String headServer) {
    private static final int MIN_WORKERS = 3;

    static Roles of(Rpc rpc) {
        List<String> names = rpc.workers().stream().map(WorkerInfo::name).toList();
        int count = names.size();
        if (count < MIN_WORKERS) {
            throw new IllegalArgumentException(
                    "training needs at least %d workers, two servers and a trainer, but there are %d; use --workers"
                            .formatted(MIN_WORKERS, count));
        }
        return new Roles(names.subList(0, count - 2), names.get(count - 2), names.get(count - 1));
    }

    boolean isTrainer(Rpc rpc) {
        return trainers.contains(rpc.self().name());
    }

    boolean reports(Rpc rpc) {
        return trainers.getFirst().equals(rpc.self().name());
    }

    /** {@return the trainers, for all-gathers} */
    Set<String> trainerSet() {
        return new TreeSet<>(trainers);
    }
}
