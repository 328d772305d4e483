package org.gradwire.nn;

import org.gradwire.tensor.GradMode;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Initial values of parameters, after PyTorch's {@code torch.nn.init}. Each method fills a tensor
 * in place, without recording it, and returns it. Random ones are drawn from the generator that is
 * given, so the same generator gives the same values.
 */
public final class Init {

    private Init() {}

    /** Which side of a weight keeps its variance. */
    public enum FanMode {
        /** That of the inputs: activations keep theirs in the forward pass. */
        FAN_IN,
        /** That of the outputs: gradients keep theirs in the backward pass. */
        FAN_OUT
    }

    /** What follows a layer, which tells how much its values should be scaled. */
    public enum Nonlinearity {
        /** Nothing, or a linear layer or convolution. */
        LINEAR,
        /** {@link Sigmoid}. */
        SIGMOID,
        /** {@link Tanh}. */
        TANH,
        /** {@link ReLU}. */
        RELU,
        /** {@link LeakyReLU}. */
        LEAKY_RELU,
        /** The scaled exponential linear unit. */
        SELU;

        /** {@return by how much values should be scaled; a leaky ReLU's slope is 0.01} */
        public double gain() {
            return gain(0.01);
        }

        /**
         * {@return by how much values should be scaled}
         *
         * @param negativeSlope that of a leaky ReLU; of no meaning for others
         */
        public double gain(double negativeSlope) {
            return switch (this) {
                case LINEAR, SIGMOID -> 1;
                case TANH -> 5.0 / 3;
                case RELU -> Math.sqrt(2);
                case LEAKY_RELU -> Math.sqrt(2 / (1 + negativeSlope * negativeSlope));
                case SELU -> 3.0 / 4;
            };
        }
    }

    /** Fill with one number. */
    public static Tensor constant_(Tensor tensor, double value) {
        return GradMode.noGrad(() -> tensor.fill_(value));
    }

    /** Fill with zeros. */
    public static Tensor zeros_(Tensor tensor) {
        return constant_(tensor, 0);
    }

    /** Fill with ones. */
    public static Tensor ones_(Tensor tensor) {
        return constant_(tensor, 1);
    }

    /**
     * Fill a matrix with ones on the diagonal and zeros elsewhere.
     *
     * @throws IllegalArgumentException when it is no matrix
     */
    public static Tensor eye_(Tensor tensor) {
        if (tensor.dim() != 2) {
            throw new IllegalArgumentException(
                    "Only tensors with 2 dimensions are supported, got "
                            + Arrays.toString(tensor.shape()));
        }
        return GradMode.noGrad(() -> {
            tensor.zero_();
            tensor.detach().diagonal().fill_(1);
            return tensor;
        });
    }

    /** Fill with numbers between two. */
    public static Tensor uniform_(Tensor tensor, double from, double to, RandomGenerator random) {
        return GradMode.noGrad(() -> tensor.uniform_(random, from, to));
    }

    /** Fill with normal numbers. */
    public static Tensor normal_(Tensor tensor, double mean, double std, RandomGenerator random) {
        return GradMode.noGrad(() -> tensor.normal_(random, mean, std));
    }

    /**
     * Fill with normal numbers of which none is out of an interval.
     *
     * @param a the lowest
     * @param b the highest
     */
    public static Tensor truncNormal_(
            Tensor tensor, double mean, double std, double a, double b, RandomGenerator random) {
        if (!(std > 0 && a < b)) {
            throw new IllegalArgumentException(
                    "a truncated normal distribution needs a positive std and an interval, not std %s and [%s, %s]"
                            .formatted(std, a, b));
        }
        double[] values = new double[tensor.numel()];
        Arrays.setAll(
                values, _ -> mean + std * truncated((a - mean) / std, (b - mean) / std, random));
        return copy(tensor, values);
    }

    /** Draw a standard normal number from an interval: by proposals that are refused by chance. */
    private static double truncated(double low, double high, RandomGenerator random) {
        boolean wide = low < 0 && high > 0 && high - low > 2.5; // most normal ones are inside
        double nearest = low > 0 ? low : Math.min(high, 0);
        while (true) {
            double z = wide ? random.nextGaussian() : low + (high - low) * random.nextDouble();
            boolean taken =
                    wide
                            ? z >= low && z <= high
                            : random.nextDouble() <= Math.exp((nearest * nearest - z * z) / 2);
            if (taken) {
                return z;
            }
        }
    }

    /** Fill with uniform numbers after Glorot and Bengio: the mean of both fans counts. */
    public static Tensor xavierUniform_(Tensor tensor, double gain, RandomGenerator random) {
        double bound = gain * Math.sqrt(6.0 / (fan(tensor, true) + fan(tensor, false)));
        return uniform_(tensor, -bound, bound, random);
    }

    /** Fill with normal numbers after Glorot and Bengio: the mean of both fans counts. */
    public static Tensor xavierNormal_(Tensor tensor, double gain, RandomGenerator random) {
        double std = gain * Math.sqrt(2.0 / (fan(tensor, true) + fan(tensor, false)));
        return normal_(tensor, 0, std, random);
    }

    /**
     * Fill with uniform numbers after He et al.
     *
     * @param gain from {@link Nonlinearity#gain}
     */
    public static Tensor kaimingUniform_(
            Tensor tensor, FanMode mode, double gain, RandomGenerator random) {
        double bound = gain * Math.sqrt(3.0 / fan(tensor, mode == FanMode.FAN_IN));
        return uniform_(tensor, -bound, bound, random);
    }

    /**
     * Fill with normal numbers after He et al.
     *
     * @param gain from {@link Nonlinearity#gain}
     */
    public static Tensor kaimingNormal_(
            Tensor tensor, FanMode mode, double gain, RandomGenerator random) {
        double std = gain / Math.sqrt(fan(tensor, mode == FanMode.FAN_IN));
        return normal_(tensor, 0, std, random);
    }

    /**
     * Fill with a matrix whose rows are orthonormal, or its columns where there are fewer of them,
     * times a gain. Dimensions after the first count as one.
     */
    public static Tensor orthogonal_(Tensor tensor, double gain, RandomGenerator random) {
        requireMatrix(tensor);
        int rows = tensor.size(0);
        int columns = tensor.numel() / Math.max(rows, 1);
        double[][] basis =
                Orthonormal.basis(Math.min(rows, columns), Math.max(rows, columns), random);
        double[] values = new double[tensor.numel()];
        for (int i = 0; i < values.length; i++) {
            int row = i / columns;
            int column = i % columns;
            values[i] = gain * (rows <= columns ? basis[row][column] : basis[column][row]);
        }
        return copy(tensor, values);
    }

    private static Tensor copy(Tensor tensor, double[] values) {
        Tensor from = Tensor.of(values, tensor.shape()).to(tensor.device());
        return GradMode.noGrad(() -> tensor.copy_(from));
    }

    /** {@return how many numbers go into an output of a weight, or come from an input} */
    static int fan(Tensor weight, boolean in) {
        requireMatrix(weight);
        int channels = weight.size(in ? 1 : 0);
        return channels * (weight.numel() / Math.max(weight.size(0) * weight.size(1), 1));
    }

    private static void requireMatrix(Tensor tensor) {
        if (tensor.dim() < 2) {
            throw new IllegalArgumentException(
                    "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions, got "
                            + Arrays.toString(tensor.shape()));
        }
    }

    /**
     * Fill a layer's weight and bias with PyTorch's defaults: uniform in plus and minus {@code 1 /
     * sqrt(fanIn)}.
     */
    static void layer(Tensor weight, @Nullable Tensor bias, RandomGenerator random) {
        double bound = 1 / Math.sqrt(fan(weight, true));
        uniform_(weight, -bound, bound, random);
        if (bias != null) {
            uniform_(bias, -bound, bound, random);
        }
    }
}
