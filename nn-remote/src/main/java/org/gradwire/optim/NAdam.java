package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * NAdam: Adam with Nesterov momentum, which grows by a schedule.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.NAdam.html">torch.optim.NAdam</a>
 */
@RemoteCallable
public final class NAdam extends Optimizer<NAdam.Options> {
    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param beta1 the decay of the running mean of the gradients
     * @param beta2 the decay of the running mean of their squares
     * @param eps added to the root for numerical stability
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient
     * @param momentumDecay how fast the momentum grows to {@code beta1}
     */
    @WireValue
    public record Options(
            double lr,
            double beta1,
            double beta2,
            double eps,
            double weightDecay,
            double momentumDecay)
            implements MomentumOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.betas(beta1, beta2);
            OptionChecks.atLeastZero("epsilon value", eps);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
            OptionChecks.atLeastZero("momentumDecay value", momentumDecay);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, beta1, beta2, eps, weightDecay, momentumDecay);
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
            return new Options(lr, first, second, eps, weightDecay, momentumDecay);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, beta1, beta2, added, weightDecay, momentumDecay);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, beta1, beta2, eps, factor, momentumDecay);
        }

        /** Return the same options with another momentum decay. */
        public Options momentumDecay(double decay) {
            return new Options(lr, beta1, beta2, eps, weightDecay, decay);
        }
    }

    /**
     * Return PyTorch's defaults: {@code lr} 0.002, betas 0.9 and 0.999, {@code eps} 1e-8, momentum
     * decay 0.004.
     */
    public static Options options() {
        return new Options(2e-3, 0.9, 0.999, 1e-8, 0, 4e-3);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public NAdam(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public NAdam(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction =
                GradientAdjustment.of(
                        parameter, gradient, /* maximize= */ false, options.weightDecay());
        Tensor mean = AdamMoments.moveMean(direction, options.beta1(), state);
        Tensor square = AdamMoments.moveSquare(direction, options.beta2(), state);
        float mu = (float) momentum(options, state.step());
        float next = (float) momentum(options, state.step() + 1);
        // PyTorch keeps the product of all momenta as a float32 for any parameter; here float32 is
        // the minimum.
        DType dtype = parameter.dtype().promote(DType.FLOAT32);
        Tensor held = state.get("mu_product", () -> Tensor.scalar(dtype, 1));
        float product = (float) held.item() * mu;
        held.fill_(product);
        double correction = 1 - Math.pow(options.beta2(), (double) state.step());
        Tensor divisor = square.div(correction).sqrt_().add_(options.eps());
        parameter.addcdiv_(
                direction,
                divisor,
                -options.lr() * (1 - momentum(options, state.step())) / (1. - product));
        parameter.addcdiv_(
                mean,
                divisor,
                -options.lr() * momentum(options, state.step() + 1) / (1. - product * mu * next));
    }

    private static double momentum(Options options, long step) {
        return options.beta1() * (1 - 0.5 * Math.pow(0.96, step * options.momentumDecay()));
    }
}
