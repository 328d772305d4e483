package org.gradwire.attack.intruder;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The process of one attacker: it attacks, prints its {@link Count} and ends. */
public final class Intruder {
    /** Printed before the counts. */
    public static final String RESULT = "result ";

    /** Name of the one that does no harm. */
    public static final String NEWCOMER = "newcomer";

    private Intruder() {}

    /**
     * Attack.
     *
     * @param args name of the attacker, seed, number of inputs, most seconds, then the target
     */
    public static void main(String[] args) {
        List<String> all = Arrays.asList(args);
        var tally = new Tally(Long.parseLong(all.get(2)), Long.parseLong(all.get(3)));
        int exitCode = 0;
        try {
            Attackers.of(all.get(0))
                    .attack(
                            Target.parse(all.subList(4, all.size())),
                            new SplittableRandom(Long.parseLong(all.get(1))),
                            tally);
        } catch (Exception | Error e) {
            e.printStackTrace();
            exitCode = 1;
        }
        System.out.println(RESULT + tally.count());
        System.out.flush();
        Runtime.getRuntime().halt(exitCode); // members do not say goodbye
    }
}
