package org.gradwire.launcher;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The workers that this launcher starts, and the rendezvous of their group.
 *
 * @param workers number of workers started here
 * @param rankOffset rank of the first worker started here
 * @param worldSize number of workers on all machines
 * @param namePrefix prefix of the rank in a worker's name
 * @param rendezvous as in the runtime's setting: {@code tcp://host:port}; empty for a store in the
 *     run's directory
 */
record World(
        int workers,
        int rankOffset,
        int worldSize,
        String namePrefix,
        Optional<String> rendezvous) {
    private static final int MAX_NAME = 127;

    World {
        if (workers < 1) {
            throw new LauncherException("--workers " + workers + " must be 1 or more");
        }
        if (rankOffset < 0 || rankOffset > worldSize - workers) {
            throw new LauncherException(
                    "ranks %d to %d are not within --world-size %d: lower --workers or --rank-offset"
                            .formatted(rankOffset, (long) rankOffset + workers - 1, worldSize));
        }
        if (!namePrefix.matches("[A-Za-z0-9_:-]*")
                || (namePrefix + worldSize).length() > MAX_NAME) {
            throw new LauncherException(
                    "--name-prefix '%s' must be letters, digits, '-', '_' and ':', at most %d"
                            .formatted(namePrefix, MAX_NAME));
        }
    }

    /** {@return the ranks of the workers started here} */
    List<Integer> ranks() {
        return IntStream.range(rankOffset, rankOffset + workers).boxed().toList();
    }

    /** {@return whether this launcher starts all workers of the group} */
    boolean isComplete() {
        return workers == worldSize;
    }

    String name(int rank) {
        return namePrefix + rank;
    }

    /** {@return the length of the longest name among the workers started here} */
    int nameWidth() {
        return name(rankOffset + workers - 1).length();
    }

    /** {@return the settings of a worker, as environment variables} */
    Map<String, String> environment(int rank) {
        return Map.of(
                "GRADWIRE_NAME", name(rank),
                "GRADWIRE_RANK", Integer.toString(rank),
                "GRADWIRE_WORLD_SIZE", Integer.toString(worldSize));
    }
}
