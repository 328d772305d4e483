package org.gradwire.collective;

import org.gradwire.spi.DecodingException;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/** The steps of operations, and the checks of the parts of other members. */
final class Exchange {
    private static final List<Tensor> NOTHING = List.of();

    private final GroupState group;
    private final Members members;
    private final BitSet others;

    Exchange(GroupState group) {
        this.group = group;
        this.members = group.members();
        this.others = members.others();
    }

    /** {@return the ranks of all but this worker} */
    BitSet others() {
        return others;
    }

    /**
     * Send a part to each other member, and wait for theirs.
     *
     * @param outgoing the tensors for a rank; none: the part only says that this member takes part
     * @return the tensors by rank; none of this member
     */
    List<List<Tensor>> withAll(Round round, int step, IntFunction<List<Tensor>> outgoing) {
        toOthers(round, step, outgoing);
        return group.receive(round, step, others);
    }

    /** Send a part to each other member. */
    void toOthers(Round round, int step, IntFunction<List<Tensor>> outgoing) {
        others.stream().forEach(rank -> group.send(round, step, rank, outgoing.apply(rank)));
    }

    /** Return the tensors of the root, another member. */
    List<Tensor> fromRoot(Round round, int root) {
        group.send(round, 0, root, NOTHING);
        return group.receive(round, 0, members.only(root)).get(root);
    }

    /**
     * Send tensors to the root.
     *
     * @return those of all on the root, without its own; null on the others
     */
    @Nullable List<List<Tensor>> toRoot(Round round, int root, List<Tensor> tensors) {
        if (members.rank() != root) {
            group.send(round, 0, root, tensors);
            return null;
        }
        return withAll(round, 0, _ -> NOTHING);
    }

    // ---- checks of parts, which are claims of their senders

    /** Check the parts of the others, and add this member's. */
    List<List<Tensor>> checked(List<List<Tensor>> parts, List<Tensor> own, List<TensorType> types) {
        List<List<Tensor>> checked = new ArrayList<>(parts);
        checked.set(members.rank(), own);
        for (int rank = 0; rank < checked.size(); rank++) {
            check(checked.get(rank), rank, types);
        }
        return checked;
    }

    /** Check the tensors of a member, and return them. */
    List<Tensor> check(List<Tensor> part, int rank, List<TensorType> types) {
        if (part.size() != types.size()) {
            throw new DecodingException(
                    "%s sent %d tensors instead of %d"
                            .formatted(members.name(rank), part.size(), types.size()));
        }
        for (int i = 0; i < part.size(); i++) {
            if (!types.get(i).fits(part.get(i))) {
                throw new DecodingException(
                        "%s sent a tensor of %s instead of %s"
                                .formatted(
                                        members.name(rank),
                                        TensorType.of(part.get(i)),
                                        types.get(i)));
            }
        }
        return part;
    }

    /** {@return the one tensor that a member sent} */
    Tensor single(List<Tensor> part, int rank) {
        if (part.size() != 1) {
            throw new DecodingException(
                    "%s sent %d tensors instead of 1".formatted(members.name(rank), part.size()));
        }
        return part.getFirst();
    }
}
