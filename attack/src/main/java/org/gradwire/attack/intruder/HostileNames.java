package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Calls functions by names that no worker offers: unknown, long, of arrays, of the JDK, with
 * terminal codes and line ends for the log.
 */
final class HostileNames implements MemberAttack.Requests {
    private static final String SQUARE = "org.gradwire.attack.victim.VictimFunctions#square(I)I";
    private static final List<String> FORBIDDEN =
            List.of(
                    "java.lang.Runtime#exit(I)V",
                    "java.lang.System#exit(I)V",
                    "java.lang.Runtime#halt(I)V",
                    "org.gradwire.attack.victim.Unmarked#run()V",
                    "org.gradwire.attack.victim.Unmarked#<clinit>()V",
                    "org.gradwire.attack.intruder.Intruder#main([Ljava/lang/String;)V",
                    "#(",
                    "",
                    "#",
                    "a#b",
                    "..",
                    "java.lang.Object#<init>()V");
    private static final int LONG_NAME = 3_900;
    private static final int MOST_DIMENSIONS = 260;

    private final Splice call;
    private final RandomGenerator random;

    HostileNames(HostileMember hostileMember, RandomGenerator random) {
        call = Splice.ofText(hostileMember.validRequests(), SQUARE);
        this.random = random;
    }

    @Override
    public Message next() {
        return call.with(new Encoder().text(name()).toBytes());
    }

    private String name() {
        String unique = Long.toHexString(random.nextLong());
        return switch (random.nextInt(8)) {
            case 0 -> FORBIDDEN.get(random.nextInt(FORBIDDEN.size()));
            case 1 -> "x.Y" + "z".repeat(random.nextInt(LONG_NAME)) + unique + "#m()V";
            case 2 -> "[".repeat(random.nextInt(MOST_DIMENSIONS)) + "Ljava.lang.Object;#m" + unique;
            case 3 ->
                    SQUARE.replace(
                            "(I)I", "(" + "[".repeat(random.nextInt(MOST_DIMENSIONS)) + "I)I");
            case 4 -> "x\n2026-01-01 SEVERE: forged \033[31m" + unique + "\r\n#m()V";
            case 5 -> "org.gradwire.attack.victim.VictimFunctions#m" + unique + "(I)I";
            case 6 -> "x." + unique + ".Y#m(Lx/" + unique + ";)V";
            default -> "x." + unique + "#m()V";
        };
    }
}
