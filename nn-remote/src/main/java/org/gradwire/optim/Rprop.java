package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Rprop, resilient backpropagation: steps by the sign of the gradient. Each element has a step
 * size, which grows while the sign persists and shrinks when it changes, which also skips one
 * update.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.Rprop.html">torch.optim.Rprop</a>
 */
@RemoteCallable
public final class Rprop extends Optimizer<Rprop.Options> {
    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param etaMinus the factor of a step size when the sign changes
     * @param etaPlus the factor of a step size while the sign persists
     * @param stepSizeMin the minimum step size
     * @param stepSizeMax the maximum step size
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(
            double lr,
            double etaMinus,
            double etaPlus,
            double stepSizeMin,
            double stepSizeMax,
            boolean maximize)
            implements OptimizerOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            checkEtas(etaMinus, etaPlus);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, etaMinus, etaPlus, stepSizeMin, stepSizeMax, maximize);
        }

        /** Return the same options with other factors of the step sizes. */
        public Options etas(double first, double second) {
            return new Options(lr, first, second, stepSizeMin, stepSizeMax, maximize);
        }

        /** Return the same options with other bounds of the step sizes. */
        public Options stepSizes(double first, double second) {
            return new Options(lr, etaMinus, etaPlus, first, second, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, etaMinus, etaPlus, stepSizeMin, stepSizeMax, wanted);
        }
    }

    /**
     * Return PyTorch's defaults: {@code lr} 0.01, which is the first step size; etas 0.5 and 1.2;
     * step sizes from 1e-6 to 50.
     */
    public static Options options() {
        return new Options(1e-2, 0.5, 1.2, 1e-6, 50, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public Rprop(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public Rprop(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        Tensor direction = GradientAdjustment.of(gradient, options.maximize());
        Tensor before = state.get("prev");
        Tensor sizes = state.get("step_size", () -> Tensor.fullLike(parameter, options.lr()));
        Tensor agreement = direction.mul(before);
        Tensor turned = agreement.lt(0);
        Tensor factors = Tensor.onesLike(parameter).maskedFill(turned, options.etaMinus());
        sizes.mul_(factors.maskedFill(agreement.gt(0), options.etaPlus()));
        sizes.clamp_(options.stepSizeMin(), options.stepSizeMax());
        Tensor kept = direction.maskedFill(turned, 0);
        parameter.addcmul_(kept.sign(), sizes, -1);
        before.copy_(kept);
    }

    private static void checkEtas(double minus, double plus) {
        if (!(0 < minus && minus < 1 && 1 < plus)) {
            throw new IllegalArgumentException(
                    "Invalid eta values: %s, %s; the first must be between 0 and 1, the second greater than 1"
                            .formatted(minus, plus));
        }
    }
}
