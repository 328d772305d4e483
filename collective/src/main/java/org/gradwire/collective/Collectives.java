package org.gradwire.collective;

import static org.gradwire.collective.HostTensors.isSmall;
import static org.gradwire.collective.HostTensors.lent;
import static org.gradwire.collective.HostTensors.onHost;
import static org.gradwire.collective.HostTensors.toDevice;

import org.gradwire.spi.DecodingException;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * The algorithms. Each runs on the thread of its operation, sends the parts of this member and
 * waits for those of the others.
 *
 * <p>Every member sends a part to the root or to all, if only to say that it takes part, so that
 * two members with different operations always find each other.
 */
final class Collectives {
    private final GroupState group;
    private final Members members;
    private final BitSet others;

    Collectives(GroupState group) {
        this.group = group;
        this.members = group.members();
        this.others = members.others();
    }

    // ---- operations

    Tensor allReduce(Round round, Tensor tensor, ReduceOp op) {
        Tensor host = onHost(tensor);
        Tensor result =
                isSmall(host) || members.size() == 1
                        ? allReduceSmall(round, host, op)
                        : allReduceByPieces(round, host, op);
        return result.to(tensor.device());
    }

    /** Reduce the tensors of all on each member: one step. */
    private Tensor allReduceSmall(Round round, Tensor host, ReduceOp op) {
        Tensor own = host.clone();
        @Nullable Tensor[] parts = exchange(round, 0, _ -> own);
        parts[members.rank()] = own;
        return Reductions.reduce(op, checked(parts, host.dtype(), host.shape()));
    }

    /** Reduce a piece on each member and exchange the results: 2 (n - 1) / n of the bytes. */
    private Tensor allReduceByPieces(Round round, Tensor host, ReduceOp op) {
        Tensor flat = Ops.reshape(host, new int[] {-1});
        Tensor[] pieces = pieces(flat);
        round.lend();
        @Nullable Tensor[] parts = exchange(round, 0, rank -> pieces[rank]);
        Tensor reduced = reduced(op, parts, pieces[members.rank()]);
        @Nullable Tensor[] results = exchange(round, 1, _ -> reduced);
        results[members.rank()] = reduced;
        for (int rank = 0; rank < results.length; rank++) {
            check(results[rank], rank, host.dtype(), pieces[rank].shape());
        }
        return Ops.reshape(joined(list(results)), host.shape());
    }

    /** Reduce the parts of all members, and release the memory of those that were received. */
    private Tensor reduced(ReduceOp op, @Nullable Tensor[] parts, Tensor own) {
        parts[members.rank()] = own;
        Tensor[] all = checked(parts, own.dtype(), own.shape());
        try (var scope = TensorScope.open()) {
            others.stream().forEach(rank -> scope.add(all[rank]));
            return scope.keep(Reductions.reduce(op, all));
        }
    }

    /** Join pieces, whose memory is released. */
    private static Tensor joined(List<Tensor> pieces) {
        try (var scope = TensorScope.open()) {
            pieces.forEach(scope::add);
            return scope.keep(Ops.cat(pieces, 0));
        }
    }

    private Tensor[] pieces(Tensor flat) {
        Tensor[] pieces = new Tensor[members.size()];
        int length = flat.numel() / pieces.length;
        int longer = flat.numel() % pieces.length;
        int start = 0;
        for (int rank = 0; rank < pieces.length; rank++) {
            int count = length + (rank < longer ? 1 : 0);
            pieces[rank] = Ops.narrow(flat, 0, start, count);
            start += count;
        }
        return pieces;
    }

    Tensor broadcast(Round round, Tensor tensor, int root) {
        if (members.rank() == root) {
            Tensor own = lent(round, onHost(tensor));
            others.stream().forEach(rank -> group.send(round, 0, rank, own));
            return tensor.detach();
        }
        group.send(round, 0, root, null);
        @Nullable Tensor part = group.receive(round, 0, members.only(root))[root];
        return check(part, root, tensor.dtype(), tensor.shape()).to(tensor.device());
    }

    List<Tensor> allGather(Round round, Tensor tensor) {
        Tensor host = onHost(tensor);
        Tensor own = lent(round, host);
        @Nullable Tensor[] parts = exchange(round, 0, _ -> own);
        parts[members.rank()] = host.clone();
        return toDevice(list(checked(parts, host.dtype(), host.shape())), tensor.device());
    }

    Tensor reduceScatter(Round round, List<Tensor> tensors, ReduceOp op) {
        Tensor mine = onHost(tensors.get(members.rank()));
        @Nullable Tensor[] parts =
                exchange(round, 0, rank -> lent(round, onHost(tensors.get(rank))));
        return reduced(op, parts, mine).to(tensors.get(members.rank()).device());
    }

    void barrier(Round round) {
        exchange(round, 0, _ -> null);
    }

    @Nullable Tensor reduce(Round round, Tensor tensor, ReduceOp op, int root) {
        @Nullable Tensor[] parts = toRoot(round, tensor, root);
        return parts == null
                ? null
                : reduced(op, parts, present(parts[root], root)).to(tensor.device());
    }

    List<Tensor> gather(Round round, Tensor tensor, int root) {
        @Nullable Tensor[] parts = toRoot(round, tensor, root);
        if (parts == null) {
            return List.of();
        }
        parts[root] = onHost(tensor).clone();
        return toDevice(list(checked(parts, tensor.dtype(), tensor.shape())), tensor.device());
    }

    /** {@return the tensors of all on the root, null on the others} */
    private @Nullable Tensor @Nullable [] toRoot(Round round, Tensor tensor, int root) {
        Tensor host = onHost(tensor);
        if (members.rank() != root) {
            group.send(round, 0, root, lent(round, host));
            return null;
        }
        others.stream().forEach(rank -> group.send(round, 0, rank, null));
        @Nullable Tensor[] parts = group.receive(round, 0, others);
        parts[root] = host;
        return parts;
    }

    Tensor scatter(Round round, List<Tensor> tensors, int root) {
        if (members.rank() == root) {
            others.stream()
                    .forEach(rank -> group.send(round, 0, rank, given(round, tensors, rank)));
            return tensors.get(root).clone().detach();
        }
        group.send(round, 0, root, null);
        return present(group.receive(round, 0, members.only(root))[root], root);
    }

    List<Tensor> allToAll(Round round, List<Tensor> tensors) {
        DType dtype = tensors.getFirst().dtype();
        @Nullable Tensor[] parts = exchange(round, 0, rank -> given(round, tensors, rank));
        parts[members.rank()] = onHost(tensors.get(members.rank())).clone();
        for (int rank = 0; rank < parts.length; rank++) {
            check(parts[rank], rank, dtype, null);
        }
        return toDevice(list(parts), tensors.getFirst().device());
    }

    // ---- steps

    /** Send a part to each other member, and wait for theirs. */
    private @Nullable Tensor[] exchange(
            Round round, int step, IntFunction<@Nullable Tensor> outgoing) {
        others.stream().forEach(rank -> group.send(round, step, rank, outgoing.apply(rank)));
        return group.receive(round, step, others);
    }

    private static Tensor given(Round round, List<Tensor> tensors, int rank) {
        return lent(round, onHost(tensors.get(rank)));
    }

    // ---- checks of parts, which are claims of their senders

    private Tensor[] checked(@Nullable Tensor[] parts, DType dtype, int[] shape) {
        Tensor[] checked = new Tensor[parts.length];
        for (int rank = 0; rank < parts.length; rank++) {
            checked[rank] = check(parts[rank], rank, dtype, shape);
        }
        return checked;
    }

    private Tensor check(@Nullable Tensor part, int rank, DType dtype, int @Nullable [] shape) {
        Tensor tensor = present(part, rank);
        if (tensor.dtype() != dtype || (shape != null && !Arrays.equals(tensor.shape(), shape))) {
            throw new DecodingException(
                    "%s sent a tensor of %s%s instead of %s%s"
                            .formatted(
                                    members.name(rank),
                                    tensor.dtype(),
                                    Arrays.toString(tensor.shape()),
                                    dtype,
                                    shape == null ? "" : Arrays.toString(shape)));
        }
        return tensor;
    }

    private Tensor present(@Nullable Tensor part, int rank) {
        if (part == null) {
            throw new DecodingException(members.name(rank) + " sent no tensor");
        }
        return part;
    }

    private static List<Tensor> list(@Nullable Tensor[] parts) {
        List<Tensor> list = new ArrayList<>(parts.length);
        for (Tensor part : parts) {
            list.add(Objects.requireNonNull(part));
        }
        return list;
    }
}
