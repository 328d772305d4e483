package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Adadelta: steps along the gradient, scaled by the root of the running mean of the squared steps
 * over that of the squared gradients.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.Adadelta.html">torch.optim.Adadelta</a>
 */
@RemoteCallable
public final class Adadelta extends Optimizer<Adadelta.Options> {
    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param rho the decay of the running means
     * @param eps added under both roots for numerical stability
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(double lr, double rho, double eps, double weightDecay, boolean maximize)
            implements OptimizerOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.between("rho value", rho, 0, 1);
            OptionChecks.atLeastZero("epsilon value", eps);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, rho, eps, weightDecay, maximize);
        }

        /** Return the same options with another rho. */
        public Options rho(double part) {
            return new Options(lr, part, eps, weightDecay, maximize);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, rho, added, weightDecay, maximize);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, rho, eps, factor, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, rho, eps, weightDecay, wanted);
        }
    }

    /** Return PyTorch's defaults: {@code lr} 1, rho 0.9, {@code eps} 1e-6. */
    public static Options options() {
        return new Options(1.0, 0.9, 1e-6, 0, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public Adadelta(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public Adadelta(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction =
                GradientAdjustment.of(
                        parameter, gradient, options.maximize(), options.weightDecay());
        Tensor square = state.get("square_avg").mul_(options.rho());
        square.addcmul_(direction, direction, 1 - options.rho());
        Tensor steps = state.get("acc_delta");
        Tensor root = square.add(options.eps()).sqrt_();
        Tensor step = steps.add(options.eps()).sqrt_().div_(root).mul_(direction);
        steps.mul_(options.rho()).addcmul_(step, step, 1 - options.rho());
        parameter.add_(step, -options.lr());
    }
}
