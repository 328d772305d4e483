package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Averaged stochastic gradient descent (ASGD): steps of decreasing size. The state holds the mean
 * of the parameters as {@code ax}.
 *
 * @see <a href="https://pytorch.org/docs/1.13/generated/torch.optim.ASGD.html">torch.optim.ASGD</a>
 */
@RemoteCallable
public final class ASGD extends Optimizer<ASGD.Options> {
    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param lambd the decay of the parameters
     * @param alpha the exponent of the decrease of the step size
     * @param t0 the step at which averaging starts
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(
            double lr, double lambd, double alpha, double t0, double weightDecay, boolean maximize)
            implements OptimizerOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, lambd, alpha, t0, weightDecay, maximize);
        }

        /** Return the same options with another decay. */
        public Options lambd(double decay) {
            return new Options(lr, decay, alpha, t0, weightDecay, maximize);
        }

        /** Return the same options with another exponent. */
        public Options alpha(double power) {
            return new Options(lr, lambd, power, t0, weightDecay, maximize);
        }

        /** Return the same options with another start of averaging. */
        public Options t0(double step) {
            return new Options(lr, lambd, alpha, step, weightDecay, maximize);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, lambd, alpha, t0, factor, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, lambd, alpha, t0, weightDecay, wanted);
        }
    }

    /** Return PyTorch's defaults: {@code lr} 0.01, lambd 1e-4, alpha 0.75, t0 1e6. */
    public static Options options() {
        return new Options(1e-2, 1e-4, 0.75, 1e6, 0, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public ASGD(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public ASGD(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction =
                GradientAdjustment.of(
                        parameter, gradient, options.maximize(), options.weightDecay());
        // PyTorch keeps both numbers as float32 for all parameter types; here float32 is the
        // minimum.
        Tensor eta = state.get("eta", () -> number(parameter, options.lr()));
        Tensor mu = state.get("mu", () -> number(parameter, 1));
        parameter.mul_(1 - options.lambd() * eta.item());
        parameter.add_(direction, -eta.item());
        Tensor mean = state.get("ax");
        if (mu.item() == 1) {
            mean.copy_(parameter);
        } else {
            mean.add_(parameter.sub(mean).mul_(mu.item()));
        }
        double growth = 1 + options.lambd() * options.lr() * state.step();
        eta.fill_((float) (options.lr() / Math.pow(growth, options.alpha())));
        mu.fill_((float) (1 / Math.max(1, state.step() - options.t0())));
    }

    private static Tensor number(Tensor parameter, double value) {
        return Tensor.scalar(parameter.dtype().promote(DType.FLOAT32), (float) value);
    }
}
