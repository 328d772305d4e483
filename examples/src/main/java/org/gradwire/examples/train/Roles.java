package org.gradwire.examples.train;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The roles of workers: the last two are parameter servers, all others train. Of two workers, one
 * is the only server.
 *
 * @param trainers names of the trainers; the first also reports
 * @param embeddingServer name of the worker with the embedding
 * @param headServer name of the worker with the output layers
 */
record Roles(List<String> trainers, String embeddingServer, String headServer) {
    static final int MIN_WORKERS = 2;

    /** Assign the roles to the members of a view. */
    static Roles of(GroupView view) {
        List<String> names = view.names();
        int count = names.size();
        if (count < MIN_WORKERS) {
            throw new IllegalArgumentException(
                    "training needs at least %d workers, a trainer and a server, but there are %d; use --workers"
                            .formatted(MIN_WORKERS, count));
        }
        int trainers = Math.max(1, count - 2);
        return new Roles(names.subList(0, trainers), names.get(trainers), names.getLast());
    }

    boolean reports(Rpc rpc) {
        return trainers.getFirst().equals(rpc.self().name());
    }

    /** {@return the trainers, for all-gathers} */
    Set<String> trainerSet() {
        return new TreeSet<>(trainers);
    }
}
