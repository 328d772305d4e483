package org.gradwire.runtime.tests.hostile;

import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Well-formed control messages with names, ids and numbers of other workers. */
final class Forgeries {
    private static final int WORKER_SHIFT = 48;
    private static final int WORKERS = 4;
    private static final int FEW = 40;
    private static final List<String> TYPES =
            List.of("USER:String", "BUILTIN:Tensor", "SCRIPT:module:Talks", "nonsense");
    private static final List<String> SEQUENCES =
            List.of(
                    "friend,victim#",
                    "farewell/friend,victim#",
                    "friend,victim,zorro#",
                    "victim,zorro#",
                    "victim#",
                    "zorro#",
                    "victim,nobody,zorro#");

    private final Random random;

    Forgeries(Random random) {
        this.random = random;
    }

    /** A message without headers and buffers. */
    record Forgery(int type, Consumer<Output> body) {}

    Forgery next() {
        return switch (random.nextInt(19)) {
            case 0 -> new Forgery(MessageTypes.LEAVE_REQ, this::name);
            case 1 -> new Forgery(MessageTypes.GATHER_REQ, out -> value(out, sequence()));
            case 2 -> new Forgery(MessageTypes.BROADCAST_REQ, this::broadcast);
            case 3 -> new Forgery(MessageTypes.JOIN_REQ, out -> out.writeLong(number()));
            case 4 -> new Forgery(MessageTypes.CANCEL_REQ, out -> out.writeLong(number()));
            case 5 -> new Forgery(MessageTypes.QUEUE_DEPTH_REQ, _ -> {});
            case 6 -> new Forgery(MessageTypes.CALLS_ENDED_REQ, out -> out.writeLong(number()));
            case 7 -> new Forgery(MessageTypes.RREF_USER_DELETE, this::deletions);
            case 8 -> new Forgery(MessageTypes.RREF_FORK_REQUEST, this::fork);
            case 9 -> new Forgery(MessageTypes.RREF_CHILD_ACCEPT, this::reference);
            case 10 -> new Forgery(MessageTypes.RREF_SAVE_REQ, this::fork);
            case 11 -> new Forgery(MessageTypes.RREF_LOAD_REQ, this::load);
            case 12 -> new Forgery(MessageTypes.UDF_RREF_FETCH_CALL, this::fetch);
            case 13 -> new Forgery(MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ, this::context);
            case 14 -> new Forgery(MessageTypes.DISCOVER_AUTOGRAD_REQ, this::discovery);
            case 15 -> new Forgery(MessageTypes.BACKWARD_AUTOGRAD_REQ, this::gradients);
            case 16 -> new Forgery(MessageTypes.AUTOGRAD_CONTEXT_OPEN_REQ, this::context);
            case 17 -> new Forgery(MessageTypes.DEVICE_COPIED_REQ, this::copied);
            default -> new Forgery(MessageTypes.DEVICES_REQ, this::devices);
        };
    }

    private void name(Output out) {
        if (random.nextBoolean()) { // length of a possible name, which is never read
            out.writeString(random.nextBoolean() ? "friend" : "victim");
        }
    }

    private String sequence() {
        return SEQUENCES.get(random.nextInt(SEQUENCES.size())) + random.nextInt(FEW);
    }

    private static void value(Output out, String sequence) {
        out.writeString(sequence);
        out.writeValue("forged");
    }

    private void broadcast(Output out) {
        out.writeString(sequence());
        boolean succeeds = random.nextBoolean();
        out.writeBoolean(succeeds);
        if (succeeds) {
            out.writeValue(List.of("forged"));
        } else {
            out.writeInt(random.nextInt(10));
            out.writeString("forged");
        }
    }

    /** {@return a small number, or sometimes one outside of all ranges} */
    private long number() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(FEW);
            case 1 -> -1L - random.nextInt(FEW);
            case 2 -> Long.MAX_VALUE - random.nextInt(FEW);
            default -> random.nextLong();
        };
    }

    /** Guess an id by the known numbering. */
    private void reference(Output out) {
        out.writeInt(random.nextInt(WORKERS));
        out.writeLong(random.nextInt(FEW));
        out.writeLong(number());
    }

    private void deletions(Output out) {
        int count = random.nextInt(FEW);
        out.writeInt(count);
        for (int i = 0; i < 2 * count; i++) {
            reference(out);
        }
    }

    private void fork(Output out) {
        reference(out);
        reference(out);
        out.writeString(TYPES.get(random.nextInt(TYPES.size())));
    }

    private void load(Output out) {
        reference(out);
        reference(out);
        reference(out);
    }

    private void fetch(Output out) {
        reference(out);
        out.writeString("String");
        out.writeInt(random.nextInt(4));
    }

    private long drawn() {
        return ((long) random.nextInt(WORKERS) << WORKER_SHIFT) + random.nextInt(FEW);
    }

    private void context(Output out) {
        out.writeLong(drawn());
        out.writeLong(number());
    }

    private void discovery(Output out) {
        context(out);
        out.writeLong(drawn());
        int count = random.nextInt(FEW);
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.writeLong(drawn());
        }
    }

    private void gradients(Output out) {
        context(out);
        out.writeLong(drawn());
        out.writeLong(drawn());
        out.writeBoolean(random.nextBoolean());
        out.writeInt(1);
        out.writeValue("no tensor");
    }

    private void devices(Output out) {
        out.writeInt(1);
        out.writeString("cuda:" + random.nextInt(2));
        out.writeString(random.nextBoolean() ? "cpu" : "cuda:" + random.nextInt(2));
        offer(out);
    }

    /** Offer memory of a device that does not exist. */
    private void offer(Output out) {
        out.writeLong(number());
        boolean any = random.nextBoolean();
        out.writeInt(any ? 1 : 0);
        if (any) {
            out.writeString("cuda");
            out.writeString("this machine");
            out.writeInt(1);
            out.writeString("forged");
            out.writeBytes(new byte[random.nextInt(FEW)]);
        }
    }

    private void copied(Output out) {
        out.writeLong(number());
        out.writeBytes(new byte[random.nextInt(FEW)]);
    }
}
