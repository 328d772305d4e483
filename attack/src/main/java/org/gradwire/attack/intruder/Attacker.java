package org.gradwire.attack.intruder;

import java.util.random.RandomGenerator;

/** One attack on a victim. */
@FunctionalInterface
interface Attacker {

    /**
     * Send inputs to a victim until {@link InputCounter#isOver}.
     *
     * @param random source of all inputs
     * @throws Exception when the attack cannot be made here, which does not count for the victim
     */
    void attack(Target target, RandomGenerator random, InputCounter inputCounter) throws Exception;
}
