package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * {@link Adam} with decoupled weight decay: the decay applies to the parameters, not to their
 * gradients.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.AdamW.html">torch.optim.AdamW</a>
 */
@RemoteCallable
public final class AdamW extends Optimizer<AdamW.Options> {

    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param beta1 the decay of the running mean of the gradients
     * @param beta2 the decay of the running mean of their squares
     * @param eps added to the root for numerical stability
     * @param weightDecay the decay of the parameter in a step, times the learning rate
     * @param amsgrad whether to divide by the maximum of the means of squares so far
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(
            double lr,
            double beta1,
            double beta2,
            double eps,
            double weightDecay,
            boolean amsgrad,
            boolean maximize)
            implements MomentumOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.atLeastZero("epsilon value", eps);
            OptionChecks.betas(beta1, beta2);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
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
            return new Options(lr, first, second, eps, weightDecay, amsgrad, maximize);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, beta1, beta2, added, weightDecay, amsgrad, maximize);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, beta1, beta2, eps, factor, amsgrad, maximize);
        }

        /** Return the same options with AMSGrad, or without. */
        public Options amsgrad(boolean wanted) {
            return new Options(lr, beta1, beta2, eps, weightDecay, wanted, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, beta1, beta2, eps, weightDecay, amsgrad, wanted);
        }

        private AdamMoments.Factors factors() {
            return new AdamMoments.Factors(lr, beta1, beta2, eps, amsgrad);
        }
    }

    /**
     * Return PyTorch's defaults: {@code lr} 0.001, betas 0.9 and 0.999, {@code eps} 1e-8, decay
     * 0.01.
     */
    public static Options options() {
        return new Options(
                1e-3, 0.9, 0.999, 1e-8, 0.01, /* amsgrad= */ false, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public AdamW(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public AdamW(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        parameter.mul_(1 - options.lr() * options.weightDecay());
        AdamMoments.step(
                parameter,
                GradientAdjustment.of(gradient, options.maximize()),
                options.factors(),
                state);
    }
}
