package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.random.RandomGenerator;

/**
 * Sends the requests of a source as a member of the group. Joins again when the group expels it.
 */
record MemberAttack(Source source) implements Attacker {
    private static final int MOST_JOINS = 20;
    private static final int ONE_IN_TO_FRIEND = 8;

    /** Makes hostile requests. */
    @FunctionalInterface
    interface Source {
        Requests open(Member member, RandomGenerator random);
    }

    /** The hostile requests of one member. */
    @FunctionalInterface
    interface Requests {
        Message next();
    }

    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) throws Exception {
        for (int turn = 0; turn < MOST_JOINS && !tally.isOver(); turn++) {
            try (Member member = Member.join(target.rank() + turn)) {
                tally.connected();
                Requests requests = source.open(member, random);
                while (!tally.isOver() && !member.isExpelled()) {
                    boolean toFriend = random.nextInt(ONE_IN_TO_FRIEND) == 0;
                    member.send(toFriend ? Member.FRIEND : Member.VICTIM, requests.next(), tally);
                }
                member.awaitEnds();
            }
        }
    }
}
