package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.WorkerName;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/** An entry of a {@link MembershipLog}. */
sealed interface MembershipChange {

    /**
     * The join of a worker, which its place in the log identifies from then on.
     *
     * @param replaced the place where an earlier process of the worker joined, which has ended and
     *     is lost with this join unless it was before; 0 for none
     */
    record Join(WorkerInfo worker, long replaced) implements MembershipChange {
        Join(WorkerInfo worker) {
            this(worker, 0);
        }
    }

    /**
     * The leave or loss of a worker.
     *
     * @param joined the place where it joined
     * @param author the place where the member joined that reports it, possibly the same
     */
    record Leave(long joined, long author) implements MembershipChange {}

    /**
     * The end of a worker that could not connect to all members. It is lost rather than left: a
     * supervisor starts it again.
     *
     * @param joined the place where it joined
     */
    record Fail(long joined) implements MembershipChange {}

    /** No change: the writer has died before its write. */
    record Gap() implements MembershipChange {}

    /** {@return the entry in the store} */
    default byte[] encode() {
        String text =
                switch (this) {
                    case Join join ->
                            "join %d %s %d"
                                    .formatted(join.worker.id(), join.worker.name(), join.replaced);
                    case Leave leave -> "leave %d %d".formatted(leave.joined, leave.author);
                    case Fail fail -> "fail %d".formatted(fail.joined);
                    case Gap _ -> "gap";
                };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static MembershipChange decode(byte[] entry) {
        String text = new String(entry, StandardCharsets.UTF_8);
        String[] words = text.split(" ", -1);
        try {
            return switch (words[0]) {
                case "join" ->
                        new Join(
                                worker(Integer.parseInt(words[1]), words[2]),
                                Long.parseLong(words[3]));
                case "leave" -> new Leave(Long.parseLong(words[1]), Long.parseLong(words[2]));
                case "fail" -> new Fail(Long.parseLong(words[1]));
                case "gap" -> new Gap();
                default -> throw senseless(text, null);
            };
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw senseless(text, e);
        }
    }

    private static WorkerInfo worker(int id, String name) {
        if (id < 0 || !WorkerName.isValid(name)) {
            throw senseless(id + " " + name, null);
        }
        return new WorkerInfo(id, name);
    }

    private static RpcException senseless(String text, @Nullable Exception cause) {
        return new RpcException(
                RpcErrorKind.UNKNOWN,
                "'%s' is not a membership change".formatted(UntrustedText.quote(text)),
                cause);
    }
}
