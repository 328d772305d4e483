package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Adamax: Adam with the infinity norm in place of the root of the mean of squares.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.Adamax.html">torch.optim.Adamax</a>
 */
@RemoteCallable
public final class Adamax extends Optimizer<Adamax.Options> {
    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param beta1 the decay of the running mean of the gradients
     * @param beta2 the decay of the infinity norm
     * @param eps added to the absolute gradient for numerical stability
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(
            double lr, double beta1, double beta2, double eps, double weightDecay, boolean maximize)
            implements MomentumOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.betas(beta1, beta2);
            OptionChecks.atLeastZero("epsilon value", eps);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
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

        /** Return the same options to maximize or minimize the objective. */
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

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public Adamax(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction =
                GradientAdjustment.of(
                        parameter, gradient, options.maximize(), options.weightDecay());
        Tensor mean = AdamMoments.moveMean(direction, options.beta1(), state);
        Tensor largest = state.get("exp_inf").mul_(options.beta2());
        largest.copy_(largest.maximum(direction.abs().add_(options.eps())));
        double correction = 1 - Math.pow(options.beta1(), (double) state.step());
        parameter.addcdiv_(mean, largest, -(options.lr() / correction));
    }
}
