package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.random.RandomGenerator;

/** Sends sets and maps whose keys are lists with equal hash codes, which take quadratic time. */
final class CollidingKeys implements MemberAttack.Requests {
    private static final int INT = 5;
    private static final int LIST = 11;
    private static final int MAP = 12;
    private static final int SET = 13;
    private static final int FACTOR = 31; // the factor of List.hashCode
    private static final int LEAST = 5_000;
    private static final int MOST = 60_000;

    private final Splice argument;
    private final RandomGenerator random;

    CollidingKeys(HostileMember hostileMember, RandomGenerator random) {
        argument = Splice.ofValue(hostileMember.validRequests(), HostileMember.MARK);
        this.random = random;
    }

    @Override
    public Message next() {
        int count = random.nextInt(LEAST, MOST);
        boolean isMap = random.nextBoolean();
        var value = new Encoder().integer(isMap ? MAP : SET).integer(count);
        for (int key = 0; key < count; key++) {
            value.integer(LIST).integer(2);
            value.integer(INT).integer(key).integer(INT).integer(-FACTOR * key);
            if (isMap) {
                value.integer(0);
            }
        }
        return argument.with(value.toBytes());
    }
}
