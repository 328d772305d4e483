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
import java.util.List;
import java.util.function.Consumer;

/**
 * Sends the messages of a group. A part is acknowledged when its receiver has begun the operation.
 * Thread-safe.
 */
final class PartSender {
    private final Worker worker;
    private final @Nullable Duration ownTimeout;

    PartSender(Worker worker, @Nullable Duration ownTimeout) {
        this.worker = worker;
        this.ownTimeout = ownTimeout;
    }

    /** {@return the limit of each wait; zero for none} */
    Duration timeout() {
        return ownTimeout != null ? ownTimeout : worker.rpc().rpcTimeout().orElse(Duration.ZERO);
    }

    RpcFuture<Input> send(GroupState group, Round round, int step, int rank, List<Tensor> tensors) {
        Members members = group.members();
        Consumer<Output> body = out -> Part.write(out, members.identity(), round, step, tensors);
        RpcFuture<Input> acknowledgement =
                worker.request(members.id(rank), MessageTypes.COLLECTIVE_REQ, body, timeout());
        round.sequence().window().sent(round.number(), acknowledgement);
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
                        .formatted(round.text(), members.name(rank), reason.getMessage());
        return Failure.of(reason.kind(), text);
    }

    /** Notify the other members that the group is broken, or closed here. */
    void notify(Members members, Failure end) {
        members.others().stream().forEach(rank -> notify(members.id(rank), members.digest(), end));
    }

    /** Notify a worker that a group is broken, or closed here. */
    void notify(int to, long group, Failure end) {
        Consumer<Output> body =
                out -> {
                    out.writeLong(group);
                    end.write(out);
                };
        try {
            RpcFuture<Input> notified =
                    worker.request(to, MessageTypes.COLLECTIVE_END_REQ, body, timeout());
            notified.onDone(_ -> {}); // a member that cannot be reached detects that itself
        } catch (RpcException e) {
            if (e.kind() != RpcErrorKind.SHUTDOWN && e.kind() != RpcErrorKind.CONNECTION) {
                throw e;
            }
        }
    }
}
