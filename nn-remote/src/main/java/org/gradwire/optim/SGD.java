package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stochastic gradient descent, with momentum: {@code v = momentum · v + g; p = p - lr · v}, as
 * PyTorch does it. A sparse gradient changes only the elements it holds, but for what momentum
 * carries on.
 */
@RemoteCallable
public final class SGD extends Optimizer {
    private final double lr;
    private final double momentum;
    private final Map<Tensor, Tensor> velocities = new HashMap<>();

    /** Create an optimizer without momentum. */
    public SGD(List<Tensor> parameters, double lr) {
        this(parameters, lr, 0);
    }

    /**
     * Create an optimizer.
     *
     * @param lr the learning rate, not negative
     * @param momentum 0 to less than 1
     */
    public SGD(List<Tensor> parameters, double lr, double momentum) {
        super(parameters);
        if (!(lr >= 0)) {
            throw new IllegalArgumentException("Invalid learning rate: " + lr);
        }
        if (!(momentum >= 0 && momentum < 1)) {
            throw new IllegalArgumentException("Invalid momentum value: " + momentum);
        }
        this.lr = lr;
        this.momentum = momentum;
    }

    @Override
    protected boolean takesSparseGradients() {
        return true;
    }

    @Override
    protected void update(Tensor parameter, Tensor gradient) {
        if (momentum == 0) {
            parameter.add_(gradient, -lr);
            return;
        }
        Tensor velocity = velocities.computeIfAbsent(parameter, Tensor::zerosLike);
        velocity.mul_(momentum);
        velocity.add_(gradient);
        parameter.add_(velocity, -lr);
    }
}
