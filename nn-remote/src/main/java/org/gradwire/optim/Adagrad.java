package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Adagrad: steps along the gradient, divided by the root of the sum of its squares. A sparse
 * gradient updates only the elements it holds.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.Adagrad.html">torch.optim.Adagrad</a>
 */
@RemoteCallable
public final class Adagrad extends Optimizer<Adagrad.Options> {

    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param lrDecay the decay of the learning rate, which is divided by {@code 1 + steps ·
     *     lrDecay}
     * @param weightDecay the L2 penalty: the multiple of the parameter added to its gradient; 0 for
     *     sparse gradients
     * @param initialAccumulatorValue the initial value of the sums
     * @param eps added to the root for numerical stability
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(
            double lr,
            double lrDecay,
            double weightDecay,
            double initialAccumulatorValue,
            double eps,
            boolean maximize)
            implements OptimizerOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.atLeastZero("lrDecay value", lrDecay);
            OptionChecks.atLeastZero("weightDecay value", weightDecay);
            OptionChecks.atLeastZero("initialAccumulatorValue value", initialAccumulatorValue);
            OptionChecks.atLeastZero("epsilon value", eps);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, lrDecay, weightDecay, initialAccumulatorValue, eps, maximize);
        }

        /** Return the same options with another decay of the learning rate. */
        public Options lrDecay(double decay) {
            return new Options(lr, decay, weightDecay, initialAccumulatorValue, eps, maximize);
        }

        /** Return the same options with another weight decay. */
        public Options weightDecay(double factor) {
            return new Options(lr, lrDecay, factor, initialAccumulatorValue, eps, maximize);
        }

        /** Return the same options with another initial value of the sums. */
        public Options initialAccumulatorValue(double value) {
            return new Options(lr, lrDecay, weightDecay, value, eps, maximize);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, lrDecay, weightDecay, initialAccumulatorValue, added, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, lrDecay, weightDecay, initialAccumulatorValue, eps, wanted);
        }
    }

    /** Return PyTorch's defaults: {@code lr} 0.01, {@code eps} 1e-10, everything else 0. */
    public static Options options() {
        return new Options(1e-2, 0, 0, 0, 1e-10, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public Adagrad(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public Adagrad(List<Tensor> parameters, Options options) {
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
        Tensor sum =
                state.get(
                        "sum", () -> Tensor.fullLike(parameter, options.initialAccumulatorValue()));
        double rate = options.lr() / (1 + (double) (state.step() - 1) * options.lrDecay());
        if (direction.isSparse()) {
            // The update is not linear, so indices must be unique.
            updateRows(parameter, direction.coalesce(), sum, rate, options.eps());
        } else {
            sum.addcmul_(direction, direction, 1);
            parameter.addcdiv_(direction, sum.sqrt().add_(options.eps()), -rate);
        }
    }

    private static void updateRows(
            Tensor parameter, Tensor direction, Tensor sum, double rate, double eps) {
        Tensor values = direction.values();
        SparseRows.add(sum, direction, values.square(), 1);
        Tensor divisor = SparseRows.of(sum, direction).sqrt_().add_(eps);
        SparseRows.add(parameter, direction, values.div(divisor), -rate);
    }
}
