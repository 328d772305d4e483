package org.gradwire.attack.intruder;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;

import java.util.random.RandomGenerator;

/** Tries to join the group without its token, or with a guessed one. */
final class WrongToken implements Attacker {
    private static final int MOST_TRIES = 5;

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter) {
        for (int i = 0; i < MOST_TRIES && !inputCounter.isOver(); i++) {
            inputCounter.sent();
            var options = RpcOptions.builder("stranger" + i).rank(target.rank() + i).dynamicGroup();
            if (i % 2 == 0) {
                options.set("gradwire.authentication-token", Long.toHexString(random.nextLong()));
            }
            try {
                Rpc rpc = Rpc.init(options.build());
                inputCounter.served();
                rpc.shutdownNow();
            } catch (RpcException _) {
                inputCounter.refused();
            }
        }
    }
}
