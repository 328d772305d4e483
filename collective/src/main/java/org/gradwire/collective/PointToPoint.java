package org.gradwire.collective;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

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
        Tensor host = HostTensors.onHost(tensor);
        group.send(round, 0, rank, List.of(HostTensors.lent(round, host)));
        return null;
    }

    /** Return the next tensor from a member. */
    Tensor receive(Round round, int rank) {
        List<Tensor> part = group.receive(round, 0, members.only(rank)).get(rank);
        return part.getFirst(); // a message without a tensor is refused
    }
}
