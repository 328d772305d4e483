package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** The changes in place that {@link FuzzProgram}s make, by PyTorch's names. */
final class FuzzChanges {

    private FuzzChanges() {}

    static Tensor apply(String name, Tensor target, @Nullable Object[] args) {
        return args.length == 0 ? plain(name, target) : withArguments(name, target, args);
    }

    private static Tensor plain(String name, Tensor target) {
        return switch (name) {
            case "neg_" -> target.neg_();
            case "abs_" -> target.abs_();
            case "relu_" -> target.relu_();
            case "exp_" -> target.exp_();
            case "sqrt_" -> target.sqrt_();
            case "sigmoid_" -> target.sigmoid_();
            case "tanh_" -> target.tanh_();
            case "round_" -> target.round_();
            case "zero_" -> target.zero_();
            default -> throw new AssertionError("no change " + name);
        };
    }

    private static Tensor withArguments(String name, Tensor target, @Nullable Object[] args) {
        return switch (name) {
            case "clamp_" -> target.clamp_((Number) args[0], (Number) args[1]);
            case "fill_" -> target.fill_(number(args, 0));
            case "copy_" -> target.copy_(tensor(args, 0));
            case "lerp_" ->
                    args[1] instanceof Tensor weight
                            ? target.lerp_(tensor(args, 0), weight)
                            : target.lerp_(tensor(args, 0), number(args, 1));
            case "addcmul_" -> target.addcmul_(tensor(args, 0), tensor(args, 1), number(args, 2));
            case "addcdiv_" -> target.addcdiv_(tensor(args, 0), tensor(args, 1), number(args, 2));
            default ->
                    args[0] instanceof Tensor other
                            ? withTensor(name, target, other, args.length > 1 ? number(args, 1) : 1)
                            : withNumber(name, target, number(args, 0));
        };
    }

    private static Tensor tensor(@Nullable Object[] args, int index) {
        return (Tensor) Objects.requireNonNull(args[index]);
    }

    private static Number number(@Nullable Object[] args, int index) {
        return (Number) Objects.requireNonNull(args[index]);
    }

    private static Tensor withTensor(String name, Tensor target, Tensor other, Number alpha) {
        return switch (name) {
            case "add_" -> target.add_(other, alpha);
            case "sub_" -> target.sub_(other, alpha);
            case "mul_" -> target.mul_(other);
            case "div_" -> target.div_(other);
            case "pow_" -> target.pow_(other);
            default -> throw new AssertionError("no change " + name);
        };
    }

    private static Tensor withNumber(String name, Tensor target, Number other) {
        return switch (name) {
            case "add_" -> target.add_(other);
            case "sub_" -> target.sub_(other);
            case "mul_" -> target.mul_(other);
            case "div_" -> target.div_(other);
            case "pow_" -> target.pow_(other);
            default -> throw new AssertionError("no change " + name);
        };
    }
}
