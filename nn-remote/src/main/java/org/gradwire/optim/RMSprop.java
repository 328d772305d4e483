package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * RMSprop: steps along the gradient, divided by the root of the running mean of its squares, or of
 * its variance; with momentum.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.RMSprop.html">torch.optim.RMSprop</a>
 */
@RemoteCallable
public final class RMSprop extends Optimizer<RMSprop.Options> {

    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param alpha the decay of the running means
     * @param eps added to the root for numerical stability
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient
     * @param momentum the momentum factor
     * @param centered whether to divide by the standard deviation
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(
            double lr,
            double alpha,
            double eps,
            double weightDecay,
            double momentum,
            boolean centered,
            boolean maximize)
            implements MomentumOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.atLeastZero("epsilon value", eps);
            OptionChecks.atLeastZero("momentum value", momentum);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
            OptionChecks.atLeastZero("alpha value", alpha);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, alpha, eps, weightDecay, momentum, centered, maximize);
        }

        /** Return the same options with another alpha. */
        public Options alpha(double part) {
            return new Options(lr, part, eps, weightDecay, momentum, centered, maximize);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, alpha, added, weightDecay, momentum, centered, maximize);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, alpha, eps, factor, momentum, centered, maximize);
        }

        @Override
        public Options momentum(double part) {
            return new Options(lr, alpha, eps, weightDecay, part, centered, maximize);
        }

        /** Return the same options to divide by the root of the variance, or of the squares. */
        public Options centered(boolean wanted) {
            return new Options(lr, alpha, eps, weightDecay, momentum, wanted, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, alpha, eps, weightDecay, momentum, centered, wanted);
        }
    }

    /** Return PyTorch's defaults: {@code lr} 0.01, alpha 0.99, {@code eps} 1e-8. */
    public static Options options() {
        return new Options(1e-2, 0.99, 1e-8, 0, 0, /* centered= */ false, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public RMSprop(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public RMSprop(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction =
                GradientAdjustment.of(
                        parameter, gradient, options.maximize(), options.weightDecay());
        Tensor square = state.get("square_avg").mul_(options.alpha());
        square.addcmul_(direction, direction, 1 - options.alpha());
        Tensor divisor =
                options.centered()
                        ? variance(square, direction, options.alpha(), state).sqrt_()
                        : square.sqrt();
        divisor.add_(options.eps());
        if (options.momentum() > 0) {
            Tensor buffer = state.get("momentum_buffer").mul_(options.momentum());
            parameter.add_(buffer.addcdiv_(direction, divisor, 1), -options.lr());
        } else {
            parameter.addcdiv_(direction, divisor, -options.lr());
        }
    }

    private static Tensor variance(
            Tensor square, Tensor direction, double alpha, ParameterState state) {
        Tensor mean = state.get("grad_avg").mul_(alpha).add_(direction, 1 - alpha);
        return square.addcmul(mean, mean, -1);
    }
}
