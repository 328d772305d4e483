package org.gradwire.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sends the messages of a group. A part is acknowledged when its receiver has begun the operation;
 * a sender that is far ahead waits for that. Thread-safe.
 */
final class PartSender {
    /** Operations whose parts may be unacknowledged before the next one waits. */
    private static final int WINDOW = GroupState.MAX_AHEAD / 2;

    private final Worker worker;
    private final @Nullable Duration ownTimeout;
    private final Deque<RpcFuture<Input>> unacknowledged = new ArrayDeque<>(); // guarded by itself

    PartSender(Worker worker, @Nullable Duration ownTimeout) {
        this.worker = worker;
        this.ownTimeout = ownTimeout;
    }

    /** {@return the limit of each wait; zero for none} */
    Duration timeout() {
        return ownTimeout != null ? ownTimeout : worker.rpc().rpcTimeout().orElse(Duration.ZERO);
    }

    RpcFuture<Input> send(
            GroupState group, Round round, int step, int rank, @Nullable Tensor tensor) {
        Members members = group.members();
        Consumer<Output> body = out -> Part.write(out, members.identity(), round, step, tensor);
        RpcFuture<Input> acknowledgement =
                worker.request(members.id(rank), MessageTypes.COLLECTIVE_REQ, body, timeout());
        synchronized (unacknowledged) {
            dropAcknowledged();
            unacknowledged.add(acknowledgement);
        }
        acknowledgement.onDone(done -> {
            try {
                var _ = done.value();
            } catch (RpcException e) {
                group.fail(unacknowledged(members, round, rank, e));
            }
        });
        return acknowledgement;
    }

    private static Failure unacknowledged(
            Members members, Round round, int rank, RpcException reason) {
        String text =
                "%s: %s did not take part: %s"
                        .formatted(
                                members.operation(round.number(), round.signature()),
                                members.name(rank),
                                reason.getMessage());
        return Failure.of(reason.kind(), text);
    }

    private void dropAcknowledged() {
        RpcFuture<Input> first = unacknowledged.peek();
        while (first != null && first.isDone()) {
            unacknowledged.remove();
            first = unacknowledged.peek();
        }
    }

    /** Wait while this worker is too far ahead of the slowest member. */
    void awaitWindow(Members members) {
        RpcFuture<Input> oldest;
        synchronized (unacknowledged) {
            dropAcknowledged();
            boolean full = unacknowledged.size() > (long) WINDOW * members.size();
            oldest = full ? unacknowledged.peek() : null;
        }
        try {
            var _ = oldest == null ? null : oldest.join();
        } catch (RpcException e) {
            var _ = e.kind(); // the group is broken now: the operation fails when it begins
        }
    }

    /** Wait until all members have begun the operations that this worker has begun. */
    void awaitAcknowledged() {
        List<RpcFuture<Input>> open;
        synchronized (unacknowledged) {
            open = new ArrayList<>(unacknowledged);
        }
        open.forEach(RpcFuture::join);
    }

    /** Tell the other members that the group is broken, or closed here. */
    void tell(Members members, Failure end) {
        members.others().stream().forEach(rank -> tell(members.id(rank), members.digest(), end));
    }

    /** Tell a worker that a group is broken, or closed here. */
    void tell(int to, long group, Failure end) {
        Consumer<Output> body =
                out -> {
                    out.writeLong(group);
                    end.write(out);
                };
        try {
            RpcFuture<Input> told =
                    worker.request(to, MessageTypes.COLLECTIVE_END_REQ, body, timeout());
            told.onDone(_ -> {}); // a member that cannot be reached detects that itself
        } catch (RpcException e) {
            if (e.kind() != RpcErrorKind.SHUTDOWN && e.kind() != RpcErrorKind.CONNECTION) {
                throw e;
            }
        }
    }
}
