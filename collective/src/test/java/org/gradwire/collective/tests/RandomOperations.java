package org.gradwire.collective.tests;

import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Random operations on random tensors of all members, with the results of each. */
final class RandomOperations {
    private final SplittableRandom random;

    RandomOperations(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** An operation on the tensors of all, seen from a member, and its results by rank. */
    record Case(String text, Workers.Member<List<Tensor>> member, List<List<Tensor>> expected) {}

    /** {@return an operation for a group of a size} */
    Case next(int size) {
        DType dtype = Samples.dtype(random);
        int[] shape = Samples.shape(random);
        List<Tensor> all = Samples.tensors(random, size, dtype, shape);
        ReduceOp op = reduceOp(dtype);
        int root = random.nextInt(size);
        String about = "(%s, %s%s, root %d)".formatted(op, dtype, Arrays.toString(shape), root);
        int kind = random.nextInt(13);
        Case chosen =
                switch (kind) {
                    case 0 ->
                            reduced(
                                    "allReduce",
                                    size,
                                    g -> g.allReduce(all.get(g.rank()), op),
                                    op,
                                    all);
                    case 1 ->
                            reduced(
                                    "allReduce_",
                                    size,
                                    g -> g.allReduce_(all.get(g.rank()).clone(), op),
                                    op,
                                    all);
                    case 2 ->
                            reduced(
                                    "allReduceAsync",
                                    size,
                                    g -> g.allReduceAsync(all.get(g.rank()), op).join(),
                                    op,
                                    all);
                    case 3 -> broadcast(size, all, root);
                    case 4 ->
                            new Case(
                                    "allGather",
                                    g -> g.allGather(all.get(g.rank())),
                                    same(size, all));
                    case 5 -> reduceScatter(size, dtype, shape, op);
                    case 6 ->
                            new Case(
                                    "reduce",
                                    g -> g.reduce(all.get(g.rank()), op, root).stream().toList(),
                                    onlyRoot(size, root, List.of(Samples.reduced(op, all))));
                    case 7 ->
                            new Case(
                                    "gather",
                                    g -> g.gather(all.get(g.rank()), root),
                                    onlyRoot(size, root, all));
                    case 8 ->
                            new Case(
                                    "scatter",
                                    g ->
                                            List.of(
                                                    g.scatter(
                                                            g.rank() == root ? all : List.of(),
                                                            root)),
                                    each(all));
                    case 9 -> allToAll(size, dtype);
                    case 10 -> allReduceList(size);
                    case 11 -> broadcastList(size, root);
                    default -> allGatherList(size);
                };
        return new Case(chosen.text + about, chosen.member, chosen.expected);
    }

    private ReduceOp reduceOp(DType dtype) {
        List<ReduceOp> possible =
                Arrays.stream(ReduceOp.values()).filter(op -> Samples.reduces(op, dtype)).toList();
        return possible.get(random.nextInt(possible.size()));
    }

    private static Case reduced(
            String text, int size, Workers.Member<Tensor> member, ReduceOp op, List<Tensor> all) {
        return new Case(
                text,
                group -> List.of(member.run(group)),
                same(size, List.of(Samples.reduced(op, all))));
    }

    private static Case broadcast(int size, List<Tensor> all, int root) {
        return new Case(
                "broadcast",
                g ->
                        List.of(
                                g.broadcast(all.get(g.rank()), root),
                                g.broadcast_(all.get(g.rank()).clone(), root)),
                same(size, List.of(all.get(root), all.get(root))));
    }

    private Case reduceScatter(int size, DType dtype, int[] shape, ReduceOp op) {
        List<List<Tensor>> given = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            given.add(Samples.tensors(random, size, dtype, shape));
        }
        List<Tensor> results = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int position = rank;
            results.add(
                    Samples.reduced(op, given.stream().map(list -> list.get(position)).toList()));
        }
        return new Case(
                "reduceScatter",
                g -> List.of(g.reduceScatter(given.get(g.rank()), op)),
                each(results));
    }

    private Case allToAll(int size, DType dtype) {
        List<List<Tensor>> given = new ArrayList<>();
        for (int from = 0; from < size; from++) {
            List<Tensor> row = new ArrayList<>();
            for (int to = 0; to < size; to++) {
                row.add(Samples.tensor(random, dtype, Samples.shape(random)));
            }
            given.add(row);
        }
        List<List<Tensor>> received = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int to = rank;
            received.add(given.stream().map(row -> row.get(to)).toList());
        }
        return new Case("allToAll", g -> g.allToAll(given.get(g.rank())), received);
    }

    /** {@return lists of the same random types and shapes, by rank} */
    private List<List<Tensor>> lists(int size, boolean floating) {
        List<List<Tensor>> lists = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            lists.add(new ArrayList<>());
        }
        int length = random.nextInt(1, 7);
        for (int i = 0; i < length; i++) {
            DType dtype = floating ? DType.FLOAT32 : Samples.dtype(random);
            int[] shape = Samples.shape(random);
            lists.forEach(list -> list.add(Samples.tensor(random, dtype, shape)));
        }
        return lists;
    }

    private Case allReduceList(int size) {
        List<List<Tensor>> lists = lists(size, false);
        ReduceOp op = random.nextBoolean() ? ReduceOp.MIN : ReduceOp.MAX;
        List<List<Tensor>> floats = lists(size, true);
        ReduceOp sum = random.nextBoolean() ? ReduceOp.SUM : ReduceOp.MEAN;
        List<Tensor> results = new ArrayList<>(reducedLists(lists, op));
        results.addAll(reducedLists(floats, sum));
        results.addAll(reducedLists(floats, sum));
        return new Case(
                "allReduce of lists",
                g -> {
                    List<Tensor> mine = floats.get(g.rank());
                    List<Tensor> changed = mine.stream().map(Tensor::clone).toList();
                    List<Tensor> all = new ArrayList<>(g.allReduce(lists.get(g.rank()), op));
                    all.addAll(g.allReduce_(changed, sum));
                    all.addAll(g.allReduceAsync(mine, sum).join());
                    return all;
                },
                same(size, results));
    }

    private static List<Tensor> reducedLists(List<List<Tensor>> lists, ReduceOp op) {
        List<Tensor> results = new ArrayList<>();
        for (int i = 0; i < lists.getFirst().size(); i++) {
            int position = i;
            results.add(
                    Samples.reduced(op, lists.stream().map(list -> list.get(position)).toList()));
        }
        return results;
    }

    private Case broadcastList(int size, int root) {
        List<List<Tensor>> lists = lists(size, false);
        List<Tensor> results = new ArrayList<>(lists.get(root));
        results.addAll(lists.get(root));
        results.addAll(lists.get(root));
        return new Case(
                "broadcast of lists",
                g -> {
                    List<Tensor> mine = lists.get(g.rank());
                    List<Tensor> changed = mine.stream().map(Tensor::clone).toList();
                    List<Tensor> all = new ArrayList<>(g.broadcast(mine, root));
                    all.addAll(g.broadcast_(changed, root));
                    all.addAll(g.broadcastAsync(mine, root).join());
                    return all;
                },
                same(size, results));
    }

    private Case allGatherList(int size) {
        List<List<Tensor>> lists = lists(size, false);
        List<Tensor> once = lists.stream().flatMap(List::stream).toList();
        List<Tensor> results = new ArrayList<>(once);
        results.addAll(once);
        return new Case(
                "allGather of lists",
                g -> {
                    List<Tensor> mine = lists.get(g.rank());
                    List<Tensor> all = new ArrayList<>();
                    g.allGather(mine).forEach(all::addAll);
                    g.allGatherAsync(mine).join().forEach(all::addAll);
                    return all;
                },
                same(size, results));
    }

    private static List<List<Tensor>> same(int size, List<Tensor> values) {
        List<List<Tensor>> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            all.add(values);
        }
        return all;
    }

    private static List<List<Tensor>> each(List<Tensor> values) {
        return values.stream().map(List::of).toList();
    }

    private static List<List<Tensor>> onlyRoot(int size, int root, List<Tensor> values) {
        List<List<Tensor>> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            all.add(rank == root ? values : List.of());
        }
        return all;
    }
}
