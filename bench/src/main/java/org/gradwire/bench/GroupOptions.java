package org.gradwire.bench;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.util.List;
import java.util.Optional;

/** The options of modes that measure groups of processes. */
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
                    "Kills of each program, system and number of workers for --recovery. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int kills = 8;

    @Option(
            names = "--one-turn",
            description = "With --recovery, all kills of a system in one run instead of two.")
    private boolean oneTurn;

    @Option(
            names = "--namespaces",
            description =
                    "With --collectives, the members are on two hosts that are network namespaces of"
                            + " this machine, the first half on one. Needs root.")
    private boolean namespaces;

    @Option(
            names = "--turns",
            paramLabel = "N",
            description =
                    "Fresh pairs of processes of each system for --cold and --memory, turns of each for --paced. Default: 5, with --quick 2.")
    private Optional<Integer> turns = Optional.empty();

    /**
     * Check the numbers.
     *
     * @throws ParameterException with the name of the option and the number
     */
    void validate(CommandLine commandLine) {
        if (kills < 1) {
            throw new ParameterException(commandLine, "--kills must be 1 or more, but is " + kills);
        }
        if (turns.isPresent() && turns.get() < 1) {
            throw new ParameterException(
                    commandLine, "--turns must be 1 or more, but is " + turns.get());
        }
        for (int number : workers) {
            if (number < 2) {
                throw new ParameterException(
                        commandLine, "--workers must be 2 or more, but is " + number);
            }
        }
    }

    /** {@return the sizes of the groups} */
    List<Integer> workers(List<Integer> unset) {
        return workers.isEmpty() ? unset : workers;
    }

    /** {@return the number of kills of each system and size} */
    int kills() {
        return kills;
    }

    /** {@return the number of fresh pairs of processes of each system} */
    int turns(int unset) {
        return turns.orElse(unset);
    }

    /** {@return whether each system has all its kills in one run} */
    boolean isOneTurn() {
        return oneTurn;
    }

    /** {@return whether the workers are on two hosts that are network namespaces} */
    boolean isInNamespaces() {
        return namespaces;
    }
}
