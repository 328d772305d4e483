package org.gradwire.attack.intruder;

import org.gradwire.attack.victim.VictimFunctions;

import java.util.random.RandomGenerator;

/** Does no harm: joins and calls the victim, which must be possible after any attack. */
final class Newcomer implements Attacker {
    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) {
        try (Member member = Member.join(target.rank())) {
            tally.connected();
            tally.sent();
            int number = random.nextInt(1000);
            int square = member.rpc().rpcSync("victim", VictimFunctions::square, number);
            if (square != number * number) {
                throw new IllegalStateException(
                        "the square of %d is not %d".formatted(number, square));
            }
            tally.served();
        }
    }
}
