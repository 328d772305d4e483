package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.random.RandomGenerator;

/** Sends empty collections: each byte on the wire takes many bytes of the receiver's memory. */
final class Amplification implements MemberAttack.Requests {
    private static final int LIST = 11;
    private static final int EMPTY_KINDS = 3;
    private static final int MOST = 12 << 20;

    private final Splice argument;
    private final RandomGenerator random;

    Amplification(HostileMember hostileMember, RandomGenerator random) {
        argument = Splice.ofValue(hostileMember.validRequests(), HostileMember.MARK);
        this.random = random;
    }

    @Override
    public Message next() {
        int count = random.nextInt(MOST);
        int kind = LIST + random.nextInt(EMPTY_KINDS);
        var value = new Encoder().integer(LIST).integer(count);
        for (int i = 0; i < count; i++) {
            value.integer(kind).integer(0);
        }
        return argument.with(value.toBytes());
    }
}
