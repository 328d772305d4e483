package org.gradwire.attack;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command line.
 *
 * @param inputs approximate number of inputs of all attack vectors
 * @param seed seed of all inputs
 * @param time time after which no attacker starts another input
 * @param only part of the names of the attack vectors to try; empty for all
 */
record Options(long inputs, long seed, Duration time, String only) {
    static final String USAGE =
            """
            Usage: ./gradwire attack [--inputs N] [--seed S] [--minutes M] [--only TEXT]

            Attacks a running group by all attack vectors and measures its resilience.
              --inputs N      approximate number of inputs (20,000); each attack vector has a share
              --seed S        seed of the inputs (random; printed)
              --minutes M     time limit of all attacks (30)
              --only TEXT     only attack vectors whose names contain this text, such as /netty

            Two vectors do not attack: operator/rotation renews the certificates of a group, 12 times
            with 20,000 inputs, and operator/revocation revokes those of members while others join.
            Each input takes 5 to 20 seconds: --only operator/rotation --inputs 80000 takes four minutes.
            """;

    private static final long INPUTS = 20_000;
    private static final long MINUTES = 30;

    /**
     * Read arguments.
     *
     * @throws IllegalArgumentException when one is malformed; the message names it
     */
    static Options parse(List<String> arguments) {
        long inputs = INPUTS;
        long seed = System.nanoTime();
        long minutes = MINUTES;
        String only = "";
        for (int i = 0; i < arguments.size(); i += 2) {
            String option = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(option + " needs a value, or is not an option");
            }
            String value = arguments.get(i + 1);
            switch (option) {
                case "--inputs" -> inputs = positive(option, value);
                case "--seed" -> seed = number(option, value);
                case "--minutes" -> minutes = positive(option, value);
                case "--only" -> only = named(value);
                default -> throw new IllegalArgumentException("no option '" + option + "'");
            }
        }
        return new Options(inputs, seed, Duration.ofMinutes(minutes), only);
    }

    private static long positive(String option, String value) {
        long number = number(option, value);
        if (number < 1) {
            throw new IllegalArgumentException(option + " " + value + " must be 1 or more");
        }
        return number;
    }

    private static long number(String option, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " " + value + " must be an integer");
        }
    }

    private static String named(String text) {
        if (AttackVector.ALL.stream().noneMatch(vector -> vector.name().contains(text))) {
            throw new IllegalArgumentException(
                    "--only '%s' is in no name; the names are: %s"
                            .formatted(
                                    text,
                                    AttackVector.ALL.stream()
                                            .map(AttackVector::name)
                                            .distinct()
                                            .collect(Collectors.joining(", "))));
        }
        return text;
    }
}
