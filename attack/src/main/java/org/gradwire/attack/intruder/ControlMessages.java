package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Sends requests of every type, with bodies of odd numbers, names of other workers and small ids:
 * announces that others leave, joins all-gathers of others, and fetches, deletes and forks values
 * of others.
 */
final class ControlMessages implements MemberAttack.Requests {
    private static final int TYPES = 256;
    private static final int MOST_PARTS = 6;
    private static final int SMALL = 200;
    private static final List<String> TEXTS =
            List.of(
                    "victim",
                    "client",
                    "client,victim#1",
                    "farewell/client,victim#1",
                    "Tensor",
                    "");
    private static final long[] ODD = {
        -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, 1L << 48
    };
    private static final List<Integer> REQUESTS = MessageTypes.requests();

    private final RandomGenerator random;

    ControlMessages(HostileMember hostileMember, RandomGenerator random) {
        var _ = hostileMember.validRequests();
        this.random = random;
    }

    @Override
    public Message next() {
        int type =
                random.nextInt(4) == 0
                        ? MessageTypes.SCRIPT_CALL + random.nextInt(TYPES)
                        : REQUESTS.get(random.nextInt(REQUESTS.size()));
        var body = new Encoder().raw(0);
        if (type == MessageTypes.RREF_USER_DELETE && random.nextBoolean()) {
            deleteClientsValue(body);
        } else if (type == MessageTypes.LEAVE_REQ && random.nextBoolean()) {
            body.text(random.nextBoolean() ? "victim" : "client"); // in the name of another worker
        } else {
            for (int parts = random.nextInt(MOST_PARTS); parts >= 0; parts--) {
                addPart(body);
            }
        }
        return new Message(type, body.toBytes(), List.of());
    }

    private void addPart(Encoder body) {
        switch (random.nextInt(4)) {
            case 0 -> body.text(TEXTS.get(random.nextInt(TEXTS.size())));
            case 1 -> body.integer(ODD[random.nextInt(ODD.length)]);
            default -> body.integer(random.nextInt(SMALL));
        }
    }

    /** Guess ids of the client as plain counters: the value's, and its creator's fork's. */
    private void deleteClientsValue(Encoder body) {
        int count = random.nextInt(SMALL);
        long secret = random.nextBoolean() ? 0 : random.nextLong();
        body.integer(1);
        body.integer(HostileMember.CLIENT).integer(count).integer(secret);
        body.integer(HostileMember.CLIENT).integer(count + 1).integer(secret);
    }
}
