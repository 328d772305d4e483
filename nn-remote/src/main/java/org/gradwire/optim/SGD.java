package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Stochastic gradient descent, with momentum: {@code v = momentum · v + (1 - dampening) · g; p = p
 * - lr · v}, where the first {@code v} is {@code g}, as PyTorch does it.
 *
 * <p>A sparse gradient changes only the elements it holds, except by momentum.
 *
 * @see <a href="https://pytorch.org/docs/1.13/generated/torch.optim.SGD.html">torch.optim.SGD</a>
 */
@RemoteCallable
public final class SGD extends Optimizer<SGD.Options> {
    private static final String BUFFER = "momentum_buffer";

    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param momentum the momentum factor
     * @param dampening the dampening of gradients in the momentum
     * @param nesterov whether to use Nesterov momentum, which requires momentum and no dampening
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(
            double lr,
            double momentum,
            double dampening,
            boolean nesterov,
            double weightDecay,
            boolean maximize)
            implements MomentumOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.atLeastZero("momentum value", momentum);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
        }

        @Override
        public void validate() {
            if (nesterov && (momentum == 0 || dampening != 0)) {
                throw new IllegalArgumentException(
                        "Nesterov momentum requires a momentum and zero dampening; they are %s and %s"
                                .formatted(momentum, dampening));
            }
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, momentum, dampening, nesterov, weightDecay, maximize);
        }

        @Override
        public Options momentum(double part) {
            return new Options(lr, part, dampening, nesterov, weightDecay, maximize);
        }

        /** Return the same options with another dampening. */
        public Options dampening(double part) {
            return new Options(lr, momentum, part, nesterov, weightDecay, maximize);
        }

        /** Return the same options with or without Nesterov momentum. */
        public Options nesterov(boolean wanted) {
            return new Options(lr, momentum, dampening, wanted, weightDecay, maximize);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, momentum, dampening, nesterov, factor, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, momentum, dampening, nesterov, weightDecay, wanted);
        }
    }

    /** Return options with a learning rate and PyTorch's defaults. */
    public static Options options(double lr) {
        return new Options(lr, 0, 0, /* nesterov= */ false, 0, /* maximize= */ false);
    }

    /** Create an optimizer without momentum. */
    public SGD(List<Tensor> parameters, double lr) {
        this(parameters, options(lr));
    }

    /**
     * Create an optimizer.
     *
     * @param lr the learning rate, not negative
     * @param momentum not negative
     */
    public SGD(List<Tensor> parameters, double lr, double momentum) {
        this(parameters, options(lr).momentum(momentum));
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public SGD(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    /** Reject a sparse gradient with weight decay. */
    @Override
    protected void check(Tensor parameter, Tensor gradient, Options options) {
        GradientAdjustment.checkWeightDecay(gradient, options.weightDecay());
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction =
                GradientAdjustment.of(
                        parameter, gradient, options.maximize(), options.weightDecay());
        if (options.momentum() != 0) {
            Tensor velocity = velocity(direction, options, state);
            direction =
                    options.nesterov()
                            ? velocity.mul(options.momentum()).add_(direction)
                            : velocity;
        }
        parameter.add_(direction, -options.lr());
    }

    private static Tensor velocity(Tensor direction, Options options, ParameterState state) {
        if (!state.has(BUFFER)) {
            return state.get(
                    BUFFER, () -> direction.isSparse() ? direction.toDense() : direction.copy());
        }
        Tensor velocity = state.get(BUFFER).mul_(options.momentum());
        return velocity.add_(direction, 1 - options.dampening());
    }
}
