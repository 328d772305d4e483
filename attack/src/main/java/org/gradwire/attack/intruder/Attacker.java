package org.gradwire.attack.intruder;

import java.util.random.RandomGenerator;

/** One idea of how to harm a victim. */
@FunctionalInterface
interface Attacker {

    /**
     * Send inputs to a victim until there were so many or {@link Tally#isOver}.
     *
     * @param random from which all inputs follow
     * @throws Exception when the attack cannot be made here, which is no success of the victim
     */
    void attack(Target target, RandomGenerator random, Tally tally) throws Exception;
}
