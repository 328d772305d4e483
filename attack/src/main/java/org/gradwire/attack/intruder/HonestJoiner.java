package org.gradwire.attack.intruder;

import org.gradwire.attack.victim.VictimFunctions;

import java.util.random.RandomGenerator;

/** Joins the group and makes valid calls to the victim, which must succeed after any attack. */
final class HonestJoiner implements Attacker {
    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter) {
        try (HostileMember hostileMember = HostileMember.join(target.rank())) {
            inputCounter.connected();
            inputCounter.sent();
            int number = random.nextInt(1000);
            int square = hostileMember.rpc().rpcSync("victim", VictimFunctions::square, number);
            if (square != number * number) {
                throw new IllegalStateException(
                        "the square of %d is not %d".formatted(number, square));
            }
            inputCounter.served();
        }
    }
}
