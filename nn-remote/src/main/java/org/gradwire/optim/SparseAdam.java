package org.gradwire.optim;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;

/**
 * {@link Adam} for sparse gradients: means and parameters change only where a gradient has
 * elements.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.SparseAdam.html">torch.optim.SparseAdam</a>
 */
@RemoteCallable
public final class SparseAdam extends Optimizer<SparseAdam.Options> {

    /**
     * The options of a parameter group; see {@link #options}.
     *
     * @param beta1 the decay of the running mean of the gradients
     * @param beta2 the decay of the running mean of their squares
     * @param eps added to the root for numerical stability
     * @param maximize whether to maximize the objective
     */
    @WireValue
    public record Options(double lr, double beta1, double beta2, double eps, boolean maximize)
            implements MomentumOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.positive("learning rate", lr);
            OptionChecks.positive("epsilon value", eps);
            OptionChecks.betas(beta1, beta2);
        }

        @Override
        public Options lr(double rate) {
            return new Options(rate, beta1, beta2, eps, maximize);
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
            return new Options(lr, first, second, eps, maximize);
        }

        /** Return the same options with another epsilon. */
        public Options eps(double added) {
            return new Options(lr, beta1, beta2, added, maximize);
        }

        /** Return the same options to maximize or minimize the objective. */
        public Options maximize(boolean wanted) {
            return new Options(lr, beta1, beta2, eps, wanted);
        }
    }

    /** Return PyTorch's defaults: {@code lr} 0.001, betas 0.9 and 0.999, {@code eps} 1e-8. */
    public static Options options() {
        return new Options(1e-3, 0.9, 0.999, 1e-8, /* maximize= */ false);
    }

    /** Return the defaults with another learning rate. */
    public static Options options(double lr) {
        return options().lr(lr);
    }

    /** Create an optimizer with the default options. */
    public SparseAdam(List<Tensor> parameters) {
        this(parameters, options());
    }

    /** Create an optimizer with one group; see {@link Optimizer#Optimizer}. */
    public SparseAdam(List<Tensor> parameters, Options options) {
        super(parameters, options);
    }

    /** Reject a dense gradient. */
    @Override
    protected void check(Tensor parameter, Tensor gradient, Options options) {
        if (!gradient.isSparse()) {
            throw new IllegalArgumentException(
                    "SparseAdam does not support dense gradients, please consider Adam instead; that of a parameter of shape %s is one"
                            .formatted(Arrays.toString(parameter.shape())));
        }
    }

    @Override
    protected void update(
            Tensor parameter, Tensor gradient, Options options, ParameterState state) {
        // The update is not linear, so indices must be unique.
        Tensor direction = GradientAdjustment.of(gradient, options.maximize()).coalesce();
        Tensor values = direction.values();
        Tensor mean = moved(state.get("exp_avg"), direction, values, 1 - options.beta1());
        Tensor square =
                moved(state.get("exp_avg_sq"), direction, values.square(), 1 - options.beta2());
        double correction1 = 1 - Math.pow(options.beta1(), (double) state.step());
        double correction2 = 1 - Math.pow(options.beta2(), (double) state.step());
        double rate = options.lr() * Math.sqrt(correction2) / correction1;
        Tensor change = mean.div_(square.sqrt_().add_(options.eps()));
        SparseRows.add(parameter, direction, change, -rate);
    }

    /** Update the elements of a running mean; {@return their new values} */
    private static Tensor moved(Tensor mean, Tensor sparse, Tensor values, double part) {
        Tensor old = SparseRows.of(mean, sparse);
        Tensor change = values.sub(old).mul_(part);
        SparseRows.add(mean, sparse, change, 1);
        return change.add_(old);
    }
}
