package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.List;
import java.util.random.RandomGenerator;

/** Sound requests of every kind with errors in them. */
final class MutatedRequests implements MemberAttack.Requests {
    private final List<Message> sound;
    private final Mutations mutations;
    private final RandomGenerator random;

    MutatedRequests(Member member, RandomGenerator random) {
        sound = member.soundRequests();
        mutations = new Mutations(random);
        this.random = random;
    }

    @Override
    public Message next() {
        return mutations.of(sound.get(random.nextInt(sound.size())));
    }
}
