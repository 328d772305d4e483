package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

/** The running means of Adam variants, and the step that {@link Adam} and {@link AdamW} share. */
final class AdamMoments {

    private AdamMoments() {}

    /** The options that the step reads. */
    record Factors(double lr, double beta1, double beta2, double eps, boolean amsgrad) {}

    /** Update the mean of the gradients; {@return it, read-only} */
    static Tensor moveMean(Tensor direction, double beta1, ParameterState state) {
        return state.get("exp_avg").mul_(beta1).add_(direction, 1 - beta1);
    }

    /** As {@link #moveMean}, of their squares. */
    static Tensor moveSquare(Tensor direction, double beta2, ParameterState state) {
        return state.get("exp_avg_sq").mul_(beta2).addcmul_(direction, direction, 1 - beta2);
    }

    static void step(Tensor parameter, Tensor direction, Factors factors, ParameterState state) {
        Tensor mean = moveMean(direction, factors.beta1(), state);
        Tensor square = moveSquare(direction, factors.beta2(), state);
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
