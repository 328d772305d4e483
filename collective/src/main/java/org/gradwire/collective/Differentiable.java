package org.gradwire.collective;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The gradients of collective operations: each runs the opposite operation on all members. After
 * {@code torch.distributed.nn.functional}.
 */
final class Differentiable extends AutogradFunction {
    private final String name;
    private final UnaryOperator<Tensor[]> forward;
    private final UnaryOperator<Tensor[]> backward;

    private Differentiable(
            String name, UnaryOperator<Tensor[]> forward, UnaryOperator<Tensor[]> backward) {
        this.name = name;
        this.forward = forward;
        this.backward = backward;
    }

    static Differentiable allReduce(TensorOperations group, ReduceOp op) {
        requireLinear(op);
        UnaryOperator<Tensor[]> both = x -> one(group.allReduce(x[0], op));
        return new Differentiable("AllReduceBackward", both, both);
    }

    static Differentiable broadcast(TensorOperations group, int root) {
        return new Differentiable(
                "BroadcastBackward",
                x -> one(group.broadcast(x[0], root)),
                gradients ->
                        one(
                                group.reduce(gradients[0], ReduceOp.SUM, root)
                                        .orElseGet(() -> Tensor.zerosLike(gradients[0]))));
    }

    static Differentiable allGather(TensorOperations group) {
        return new Differentiable(
                "AllGatherBackward",
                x -> all(group.allGather(x[0])),
                gradients -> one(group.reduceScatter(List.of(gradients), ReduceOp.SUM)));
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
        UnaryOperator<Tensor[]> both = x -> all(group.allToAll(List.of(x)));
        return new Differentiable("AllToAllBackward", both, both);
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
