package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

/** The step that {@link Adam} and {@link AdamW} share. */
final class AdamMoments {

    private AdamMoments() {}

    /** The options that the step looks at. */
    record Factors(double lr, double beta1, double beta2, double eps, boolean amsgrad) {}

    static void step(Tensor parameter, Tensor direction, Factors factors, ParameterState state) {
        Tensor mean = state.get("exp_avg");
        Tensor square = state.get("exp_avg_sq");
        mean.mul_(factors.beta1()).add_(direction, 1 - factors.beta1());
        square.mul_(factors.beta2()).addcmul_(direction, direction, 1 - factors.beta2());
        if (factors.amsgrad()) {
            Tensor largest = state.get("max_exp_avg_sq");
            square = largest.copy_(largest.maximum(square));
        }
        double correction1 = 1 - Math.pow(factors.beta1(), (double) state.step());
        double correction2 = 1 - Math.pow(factors.beta2(), (double) state.step());
        Tensor divisor = square.sqrt().div_(Math.sqrt(correction2)).add_(factors.eps());
        parameter.addcdiv_(mean, divisor, -(factors.lr() / correction1));
    }
}
