package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.random.RandomGenerator;

/** Calls a function with values that are deep, have too large lengths, or are of odd kinds. */
final class HostileValues implements MemberAttack.Requests {
    private static final int LIST = 11;
    private static final int MAP = 12;
    private static final int OPTIONAL = 14;
    private static final int RECORD = 15;
    private static final int ENUM = 16;
    private static final int ARRAY = 18;
    private static final int CODEC = 20;
    private static final int TAGS = 24;
    private static final int DEEPEST = 30_000;

    private final Splice argument;
    private final RandomGenerator random;

    HostileValues(HostileMember hostileMember, RandomGenerator random) {
        argument = Splice.ofValue(hostileMember.validRequests(), HostileMember.MARK);
        this.random = random;
    }

    @Override
    public Message next() {
        return argument.with(value().toBytes());
    }

    private Encoder value() {
        var value = new Encoder();
        String unknown = "x.Y" + Long.toHexString(random.nextLong());
        return switch (random.nextInt(8)) {
            case 0 -> nested(value, random.nextBoolean() ? LIST : OPTIONAL);
            case 1 -> value.integer(LIST + random.nextInt(3)).integer(announced());
            case 2 -> value.integer(random.nextInt(TAGS));
            case 3 -> value.integer(RECORD).text(unknown).integer(1).integer(0);
            case 4 -> value.integer(ENUM).text(unknown).text("A");
            case 5 -> value.integer(ARRAY).text("[[[[L" + unknown + ";").integer(announced());
            case 6 -> value.integer(CODEC).text(random.nextBoolean() ? "tensor" : unknown);
            default -> value.integer(MAP).integer(1).integer(LIST).integer(announced());
        };
    }

    private Encoder nested(Encoder value, int tag) {
        for (int depth = random.nextInt(DEEPEST); depth >= 0; depth--) {
            value.integer(tag);
            if (tag == LIST) {
                value.integer(1);
            }
        }
        return value.integer(0);
    }

    private int announced() {
        return random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(1 << 20);
    }
}
