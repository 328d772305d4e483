package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * RAdam, rectified Adam: steps along the mean of the gradients alone until the variance of the
 * adaptive learning rate is tractable.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.RAdam.html">torch.optim.RAdam</a>
 */
@RemoteCallable
public final class RAdam extends Optimizer<RAdam.Options> {
    /** The length above which the variance can be rectified. */
    private static final double RECTIFIABLE = 5;

    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param beta1 the decay of the running mean of the gradients
     * @param beta2 the decay of the running mean of their squares
     * @param eps added to the root for numerical stability
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient
     */
    @WireValue
    public record Options(double lr, double beta1, double beta2, double eps, double weightDecay)
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
            return new Options(rate, beta1, beta2, eps, weightDecay);
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
            return new Options(lr, first, second, eps, weightDecay);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, beta1, beta2, added, weightDecay);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, beta1, beta2, eps, factor);
        }
    }

    /** Return PyTorch's defaults: {@code lr} 0.001, betas 0.9 and 0.999, {@code eps} 1e-8. */
    public static Options options() {
        return new Options(1e-3, 0.9, 0.999, 1e-8, 0);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public RAdam(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public RAdam(List<Tensor> parameters, Options options) {
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
        double rate = options.lr() / (1 - Math.pow(options.beta1(), (double) state.step()));
        double decayed = Math.pow(options.beta2(), (double) state.step());
        double longest = 2 / (1 - options.beta2()) - 1;
        double length = longest - 2 * state.step() * decayed / (1 - decayed);
        if (length > RECTIFIABLE) {
            rate *= rectification(length, longest) * Math.sqrt(1 - decayed);
            parameter.addcdiv_(mean, square.sqrt().add_(options.eps()), -rate);
        } else {
            parameter.add_(mean, -rate);
        }
    }

    /**
     * Return the rectification factor of the variance.
     *
     * @param length the length of the approximated moving average
     * @param longest its limit after many steps
     */
    private static double rectification(double length, double longest) {
        return Math.sqrt(
                (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
    }
}
