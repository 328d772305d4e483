package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Adamax: Adam with the largest of the decayed gradients in place of the root of the mean of their
 * squares.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.Adamax.html">torch.optim.Adamax</a>
 */
@RemoteCallable
public final class Adamax extends Optimizer<Adamax.Options> {
    /**
     * What to do with the gradients of a group; {@link #options} makes one.
     *
     * @param beta1 how much of the mean of the gradients a step keeps
     * @param beta2 how much of the largest gradient a step keeps
     * @param eps added to each size of a gradient, for stability
     * @param weightDecay the factor of the parameter that is added to its gradient
     * @param maximize whether to climb instead
     */
    @WireValue
    public record Options(
            double lr, double beta1, double beta2, double eps, double weightDecay, boolean maximize)
            implements MomentumOptions<Options> {

        /** Checks each option. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.betas(beta1, beta2);
            OptionChecks.atLeastZero("epsilon value", eps);
            OptionChecks.atLeastZero("weight_decay value", weightDecay);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, beta1, beta2, eps, weightDecay, maximize);
        }

        /** {@return beta1} */
        @Override
        public double momentum() {
            return beta1;
        }

        /** Return the same options with another beta1. */
        @Override
        public Options momentum(double beta) {
            return betas(beta, beta2);
        }

        /** Return the same options with other betas. */
        public Options betas(double first, double second) {
            return new Options(lr, first, second, eps, weightDecay, maximize);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, beta1, beta2, added, weightDecay, maximize);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, beta1, beta2, eps, factor, maximize);
        }

        /** Return the same options to climb, or to descend. */
        public Options maximize(boolean wanted) {
            return new Options(lr, beta1, beta2, eps, weightDecay, wanted);
        }
    }

    /** Return PyTorch's defaults: {@code lr} 0.002, betas 0.9 and 0.999, {@code eps} 1e-8. */
    public static Options options() {
        return new Options(2e-3, 0.9, 0.999, 1e-8, 0, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public Adamax(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with a learning rate. */
    public Adamax(List<Tensor> parameters, double lr) {
        this(parameters, options(lr));
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public Adamax(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction =
                Directions.of(parameter, gradient, options.maximize(), options.weightDecay());
        Tensor mean = AdamMoments.moveMean(direction, options.beta1(), state);
        Tensor largest = state.get("exp_inf").mul_(options.beta2());
        largest.copy_(largest.maximum(direction.abs().add_(options.eps())));
        double correction = 1 - Math.pow(options.beta1(), (double) state.step());
        parameter.addcdiv_(mean, largest, -(options.lr() / correction));
    }
}
