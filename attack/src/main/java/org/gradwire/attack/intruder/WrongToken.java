package org.gradwire.attack.intruder;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;

import java.util.random.RandomGenerator;

/** Tries to join the group without its token, or with one that it guesses. */
final class WrongToken implements Attacker {
    private static final int MOST_TRIES = 5;

    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) {
        for (int i = 0; i < MOST_TRIES && !tally.isOver(); i++) {
            tally.sent();
            var options = RpcOptions.builder("stranger" + i).rank(target.rank() + i).dynamicGroup();
            if (i % 2 == 0) {
                options.set("gradwire.authentication-token", Long.toHexString(random.nextLong()));
            }
            try {
                Rpc rpc = Rpc.init(options.build());
                tally.served();
                rpc.shutdownNow();
            } catch (RpcException _) {
                tally.refused();
            }
        }
    }
}
