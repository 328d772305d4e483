package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.List;
import java.util.random.RandomGenerator;

/** Mutates valid requests of every kind. */
final class MutatedRequests implements MemberAttack.Requests {
    private final List<Message> valid;
    private final Mutations mutations;
    private final RandomGenerator random;

    MutatedRequests(HostileMember hostileMember, RandomGenerator random) {
        valid = hostileMember.validRequests();
        mutations = new Mutations(random);
        this.random = random;
    }

    @Override
    public Message next() {
        return mutations.of(valid.get(random.nextInt(valid.size())));
    }
}
