package org.gradwire.collective;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** Messages from one member to another: each is an operation in the sequence of the pair. */
final class PointToPoint {
    private final GroupState group;
    private final Members members;

    PointToPoint(GroupState group) {
        this.group = group;
        this.members = group.members();
    }

    /** Send a tensor to a member. */
    @Nullable Void send(Round round, Tensor tensor, int rank) {
        group.requireOpen(rank);
        group.send(round, 0, rank, HostTensors.lent(round, HostTensors.onHost(tensor)));
        return null;
    }

    /** Return the next tensor from a member. */
    Tensor receive(Round round, int rank) {
        @Nullable Tensor[] parts = group.receive(round, 0, members.only(rank));
        return Objects.requireNonNull(parts[rank]); // a part without a tensor is refused
    }
}
