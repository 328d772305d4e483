package org.gradwire.collective;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The gradients of collective operations: each runs the opposite operation on all members. After
 * {@code torch.distributed.nn.functional}.
 */
final class Differentiable extends AutogradFunction {
    private final String name;
    private final UnaryOperator<Tensor[]> forward;
    private final Function<Tensor[], @Nullable Tensor[]> backward;

    private Differentiable(
            String name,
            UnaryOperator<Tensor[]> forward,
            Function<Tensor[], @Nullable Tensor[]> backward) {
        this.name = name;
        this.forward = forward;
        this.backward = backward;
    }

    static Differentiable allReduce(ListOperations group, ReduceOp op) {
        requireLinear(op);
        return new Differentiable(
                "AllReduceBackward",
                x -> all(group.allReduce(List.of(x), op)),
                gradients -> floating(gradients, some -> group.allReduce(some, op)));
    }

    static Differentiable broadcast(ListOperations group, int root) {
        return new Differentiable(
                "BroadcastBackward",
                x -> all(group.broadcast(List.of(x), root)),
                gradients -> floating(gradients, some -> reduced(group, some, root)));
    }

    private static List<Tensor> reduced(ListOperations group, List<Tensor> gradients, int root) {
        return group.reduceList(gradients, ReduceOp.SUM, root)
                .orElseGet(() -> gradients.stream().map(Tensor::zerosLike).toList());
    }

    static Differentiable allGather(ListOperations group) {
        return new Differentiable(
                "AllGatherBackward",
                x -> all(group.allGather(List.of(x)).stream().flatMap(List::stream).toList()),
                gradients -> scattered(group, List.of(gradients)));
    }

    private static @Nullable Tensor[] scattered(ListOperations group, List<Tensor> gradients) {
        List<List<Tensor>> byRank = Gradients.split(gradients, group.size());
        return floating(
                all(byRank.getFirst()),
                _ ->
                        group.reduceScatterLists(
                                byRank.stream().map(Differentiable::floating).toList(),
                                ReduceOp.SUM));
    }

    private static List<Tensor> floating(List<Tensor> tensors) {
        return tensors.stream().filter(tensor -> tensor.dtype().isFloating()).toList();
    }

    /**
     * Apply an operation to the gradients of floating-point tensors, on all members the same ones;
     * the others of a list have no gradient.
     */
    private static @Nullable Tensor[] floating(
            Tensor[] gradients, UnaryOperator<List<Tensor>> operation) {
        Iterator<Tensor> results = operation.apply(floating(List.of(gradients))).iterator();
        var all = new @Nullable Tensor[gradients.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = gradients[i].dtype().isFloating() ? results.next() : null;
        }
        return all;
    }

    static Differentiable reduceScatter(TensorOperations group, ReduceOp op) {
        requireLinear(op);
        int divisor = op == ReduceOp.MEAN ? group.size() : 1;
        return new Differentiable(
                "ReduceScatterBackward",
                x -> one(group.reduceScatter(List.of(x), op)),
                gradients -> all(group.allGather(gradients[0].div(divisor))));
    }

    static Differentiable allToAll(TensorOperations group) {
        return new Differentiable(
                "AllToAllBackward",
                x -> exchanged(group, x),
                gradients -> exchanged(group, gradients));
    }

    private static Tensor[] exchanged(TensorOperations group, Tensor[] tensors) {
        return all(group.allToAll(List.of(tensors)));
    }

    private static void requireLinear(ReduceOp op) {
        if (op != ReduceOp.SUM && op != ReduceOp.MEAN) {
            throw new IllegalArgumentException(
                    "%s is not differentiable, and the tensor requires a gradient; reduce with SUM or MEAN, or pass tensor.detach()"
                            .formatted(op));
        }
    }

    private static Tensor[] one(Tensor tensor) {
        return new Tensor[] {tensor};
    }

    private static Tensor[] all(List<Tensor> tensors) {
        return tensors.toArray(Tensor[]::new);
    }

    @Override
    protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
        return forward.apply(inputs);
    }

    @Override
    protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
        return backward.apply(gradients);
    }

    @Override
    protected String name() {
        return name;
    }
}
