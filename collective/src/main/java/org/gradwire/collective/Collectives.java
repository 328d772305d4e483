package org.gradwire.collective;

import static org.gradwire.collective.HostTensors.SMALL_BYTES;
import static org.gradwire.collective.HostTensors.bytes;
import static org.gradwire.collective.HostTensors.copies;
import static org.gradwire.collective.HostTensors.lent;
import static org.gradwire.collective.HostTensors.onHost;
import static org.gradwire.collective.HostTensors.toDevice;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The algorithms. Each runs on the thread of its operation, sends the parts of this member and
 * waits for those of the others.
 *
 * <p>Every member sends a part to the root or to all, if only to say that it takes part, so that
 * two members with different operations always find each other.
 */
final class Collectives {
    /**
     * Size up to which two members send their tensors at once: as many bytes as by pieces, in one
     * step. Above it the reduction of the whole on both takes longer than another step.
     */
    private static final long PAIR_BYTES = 4L << 20;

    private final Exchange exchange;
    private final int rank;
    private final int size;

    Collectives(GroupState group) {
        this.exchange = new Exchange(group);
        this.rank = group.members().rank();
        this.size = group.members().size();
    }

    // ---- operations on lists

    List<Tensor> allReduce(Round round, List<Tensor> tensors, ReduceOp op) {
        ListLayout layout = new ListLayout(tensors);
        List<Tensor> joined = layout.join(tensors);
        return layout.split(
                isInOneStep(joined)
                        ? allReduceAtOnce(round, joined, op)
                        : allReduceByPieces(round, joined, op));
    }

    private boolean isInOneStep(List<Tensor> joined) {
        return size == 1 || bytes(joined) <= (size == 2 ? PAIR_BYTES : SMALL_BYTES);
    }

    /** Reduce the tensors of all on each member: one step, and n - 1 times the bytes. */
    private List<Tensor> allReduceAtOnce(Round round, List<Tensor> joined, ReduceOp op) {
        List<Tensor> own = lent(round, joined);
        return reduced(op, exchange.withAll(round, 0, _ -> own), own);
    }

    /** Reduce a piece on each member and exchange the results: 2 (n - 1) / n of the bytes. */
    private List<Tensor> allReduceByPieces(Round round, List<Tensor> joined, ReduceOp op) {
        List<List<Tensor>> pieces = pieces(joined);
        round.lend();
        List<List<Tensor>> parts = exchange.withAll(round, 0, pieces::get);
        List<Tensor> reduced = reduced(op, parts, pieces.get(rank));
        List<List<Tensor>> results = new ArrayList<>(exchange.withAll(round, 1, _ -> reduced));
        results.set(rank, reduced);
        for (int from = 0; from < size; from++) {
            var _ = exchange.check(results.get(from), from, types(pieces.get(from)));
        }
        return Lists.map(columns(results), Collectives::rejoined);
    }

    /** Reduce the parts of all members, and release the memory of those that were received. */
    private List<Tensor> reduced(ReduceOp op, List<List<Tensor>> parts, List<Tensor> own) {
        List<List<Tensor>> all = exchange.checked(parts, own, types(own));
        try (var scope = TensorScope.open()) {
            exchange.others().stream().forEach(from -> all.get(from).forEach(scope::add));
            return Lists.map(
                    columns(all), column -> scope.keep(Reductions.reduce(op, column, rank)));
        }
    }

    /** Join pieces, whose memory is released. */
    private static Tensor rejoined(List<Tensor> pieces) {
        try (var scope = TensorScope.open()) {
            pieces.forEach(scope::add);
            return scope.keep(Ops.cat(pieces, 0));
        }
    }

    /** {@return a piece of each tensor, by rank} */
    private List<List<Tensor>> pieces(List<Tensor> joined) {
        return IntStream.range(0, size)
                .mapToObj(to -> joined.stream().map(flat -> piece(flat, to)).toList())
                .toList();
    }

    private Tensor piece(Tensor flat, int to) {
        int length = flat.numel() / size;
        int longer = flat.numel() % size; // number of pieces with one element more
        return Ops.narrow(
                flat, 0, to * length + Math.min(to, longer), length + (to < longer ? 1 : 0));
    }

    List<Tensor> broadcast(Round round, List<Tensor> tensors, int root) {
        ListLayout layout = new ListLayout(tensors);
        if (rank == root) {
            List<Tensor> own = lent(round, layout.join(tensors));
            exchange.toOthers(round, 0, _ -> own);
            return tensors.stream().map(Tensor::detach).toList();
        }
        return layout.split(
                exchange.check(exchange.fromRoot(round, root), root, layout.joinedTypes()));
    }

    List<List<Tensor>> allGather(Round round, List<Tensor> tensors) {
        ListLayout layout = new ListLayout(tensors);
        List<Tensor> joined = layout.join(tensors);
        List<Tensor> own = lent(round, joined);
        List<List<Tensor>> parts = exchange.withAll(round, 0, _ -> own);
        return exchange.checked(parts, copies(joined), layout.joinedTypes()).stream()
                .map(layout::split)
                .toList();
    }

    /** Reduce lists by position. */
    List<Tensor> reduceScatter(Round round, List<List<Tensor>> lists, ReduceOp op) {
        ListLayout layout = new ListLayout(lists.get(rank));
        List<List<Tensor>> parts =
                exchange.withAll(round, 0, to -> lent(round, layout.join(lists.get(to))));
        return layout.split(reduced(op, parts, layout.join(lists.get(rank))));
    }

    @Nullable List<Tensor> reduce(Round round, List<Tensor> tensors, ReduceOp op, int root) {
        ListLayout layout = new ListLayout(tensors);
        List<Tensor> own = layout.join(tensors);
        List<List<Tensor>> parts =
                exchange.toRoot(round, root, rank == root ? own : lent(round, own));
        return parts == null ? null : layout.split(reduced(op, parts, own));
    }

    // ---- operations on one tensor

    void barrier(Round round) {
        var _ = exchange.withAll(round, 0, _ -> List.of());
    }

    List<Tensor> gather(Round round, Tensor tensor, int root) {
        Tensor host = onHost(tensor);
        List<Tensor> own = rank == root ? List.of(host.clone()) : List.of(lent(round, host));
        List<List<Tensor>> parts = exchange.toRoot(round, root, own);
        return parts == null
                ? List.of()
                : toDevice(
                        columns(exchange.checked(parts, own, types(own))).getFirst(),
                        tensor.device());
    }

    Tensor scatter(Round round, List<Tensor> tensors, int root) {
        if (rank == root) {
            exchange.toOthers(round, 0, to -> given(round, tensors, to));
            return tensors.get(root).clone().detach();
        }
        return exchange.single(exchange.fromRoot(round, root), root);
    }

    List<Tensor> allToAll(Round round, List<Tensor> tensors) {
        List<List<Tensor>> parts = exchange.withAll(round, 0, to -> given(round, tensors, to));
        List<Tensor> own = List.of(onHost(tensors.get(rank)).clone());
        List<TensorType> types = List.of(TensorType.ofAnyShape(tensors.getFirst().dtype()));
        return toDevice(
                columns(exchange.checked(parts, own, types)).getFirst(),
                tensors.getFirst().device());
    }

    private static List<Tensor> given(Round round, List<Tensor> tensors, int to) {
        return List.of(lent(round, onHost(tensors.get(to))));
    }

    // ---- lists

    private static List<TensorType> types(List<Tensor> tensors) {
        return Lists.map(tensors, TensorType::of);
    }

    /** {@return the tensors of all rows, which have equal lengths, by position} */
    private static List<List<Tensor>> columns(List<List<Tensor>> rows) {
        List<List<Tensor>> columns = new ArrayList<>();
        for (int i = 0; i < rows.getFirst().size(); i++) {
            List<Tensor> column = new ArrayList<>(rows.size());
            for (List<Tensor> row : rows) {
                column.add(row.get(i));
            }
            columns.add(column);
        }
        return columns;
    }
}
