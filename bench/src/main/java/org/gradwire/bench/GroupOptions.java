package org.gradwire.bench;

import picocli.CommandLine.Option;

import java.util.List;

/** The options of modes that measure groups of several sizes. */
final class GroupOptions {
    @Option(
            names = "--workers",
            split = ",",
            paramLabel = "N",
            description =
                    "Numbers of workers for --recovery and --collectives. Default: 2,8, and 2,4.")
    private List<Integer> workers = List.of();

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "8",
            description =
                    "Kills of each system and number of workers for --recovery. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int kills = 8;

    @Option(
            names = "--one-turn",
            description = "With --recovery, all kills of a system in one run instead of two.")
    private boolean oneTurn;

    /** {@return whether the numbers are large enough} */
    boolean isValid() {
        return kills >= 1 && workers.stream().allMatch(number -> number >= 2);
    }

    /** {@return the sizes of the groups} */
    List<Integer> workers(List<Integer> unset) {
        return workers.isEmpty() ? unset : workers;
    }

    /** {@return the number of kills of each system and size} */
    int kills() {
        return kills;
    }

    /** {@return whether each system has all its kills in one run} */
    boolean isOneTurn() {
        return oneTurn;
    }
}
