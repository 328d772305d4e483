package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.random.RandomGenerator;

/**
 * Sends the requests of a source as a member of the group. Joins again when the group expels it.
 */
record MemberAttack(Source source) implements Attacker {
    private static final int MOST_JOINS = 20;
    private static final int ONE_IN_TO_CLIENT = 8;

    /** Creates the hostile requests of a member. */
    @FunctionalInterface
    interface Source {
        Requests open(HostileMember hostileMember, RandomGenerator random);
    }

    /** The hostile requests of one member. */
    @FunctionalInterface
    interface Requests {
        Message next();
    }

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter)
            throws Exception {
        for (int turn = 0; turn < MOST_JOINS && !inputCounter.isOver(); turn++) {
            try (HostileMember hostileMember = HostileMember.join(target.rank() + turn)) {
                inputCounter.connected();
                Requests requests = source.open(hostileMember, random);
                while (!inputCounter.isOver() && !hostileMember.isExpelled()) {
                    boolean toClient = random.nextInt(ONE_IN_TO_CLIENT) == 0;
                    hostileMember.send(
                            toClient ? HostileMember.CLIENT : HostileMember.VICTIM,
                            requests.next(),
                            inputCounter);
                }
                hostileMember.awaitEnds();
            }
        }
    }
}
