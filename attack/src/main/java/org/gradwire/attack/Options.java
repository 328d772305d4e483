package org.gradwire.attack;

import java.time.Duration;
import java.util.List;

/**
 * The command line.
 *
 * @param inputs of all ways in together, about
 * @param seed from which all inputs follow
 * @param time after which no attacker begins any more input
 * @param only the beginning of the names of the ways to try; empty for all
 */
record Options(long inputs, long seed, Duration time, String only) {
    static final String USAGE =
            """
            Usage: ./gradwire attack [--inputs N] [--seed S] [--minutes M] [--only WAY]

            Attacks a running group in every way there is and measures what it bears.
              --inputs N   how many inputs in all, about (20,000)
              --seed S     from which they follow (random; printed)
              --minutes M  the most time for all attacks (30)
              --only WAY   only the ways in whose names begin so
            """;

    private static final long INPUTS = 20_000;
    private static final long MINUTES = 30;

    /**
     * Read arguments.
     *
     * @throws IllegalArgumentException when one makes no sense; the message says which
     */
    static Options parse(List<String> arguments) {
        long inputs = INPUTS;
        long seed = System.nanoTime();
        long minutes = MINUTES;
        String only = "";
        for (int i = 0; i < arguments.size(); i += 2) {
            String option = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(option + " needs a value, or is no option");
            }
            String value = arguments.get(i + 1);
            switch (option) {
                case "--inputs" -> inputs = positive(option, value);
                case "--seed" -> seed = number(option, value);
                case "--minutes" -> minutes = positive(option, value);
                case "--only" -> only = value;
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
            throw new IllegalArgumentException(option + " " + value + " must be a whole number");
        }
    }
}
