package org.gradwire.attack.intruder;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The process of one attacker: it attacks, prints its {@link InputCounts} and ends. */
public final class Intruder {
    /** The prefix of the line with the counts. */
    public static final String RESULT = "result ";

    /** The name of the honest joiner. */
    public static final String JOINER = "joiner";

    private Intruder() {}

    /**
     * Attack.
     *
     * @param args name of the attacker, seed, number of inputs, seconds at most, then the target
     */
    public static void main(String[] args) {
        List<String> all = Arrays.asList(args);
        var inputCounter = new InputCounter(Long.parseLong(all.get(2)), Long.parseLong(all.get(3)));
        int exitCode = 0;
        try {
            Attackers.of(all.get(0))
                    .attack(
                            Target.parse(all.subList(4, all.size())),
                            new SplittableRandom(Long.parseLong(all.get(1))),
                            inputCounter);
        } catch (Exception | Error e) {
            e.printStackTrace();
            exitCode = 1;
        }
        System.out.println(RESULT + inputCounter.inputCounts());
        System.out.flush();
        Runtime.getRuntime().halt(exitCode); // members end without a shutdown
    }
}
