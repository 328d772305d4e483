package org.gradwire.nn;

import org.gradwire.autograd.GradMode;
import org.gradwire.nn.activation.LeakyReLU;
import org.gradwire.nn.activation.ReLU;
import org.gradwire.nn.activation.Sigmoid;
import org.gradwire.nn.activation.Tanh;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Initializes parameters, after PyTorch's {@code torch.nn.init}. Each method fills a tensor in
 * place, without recording, and returns it. Random methods draw from the given generator, so equal
 * generators give equal values.
 */
public final class Init {

    private Init() {}

    /** The fan that scales Kaiming initialization. */
    public enum FanMode {
        /** Fan-in: preserves the variance of activations in the forward pass. */
        FAN_IN,
        /** Fan-out: preserves the variance of gradients in the backward pass. */
        FAN_OUT
    }

    /** The nonlinearity that follows a layer and determines its gain. */
    public enum Nonlinearity {
        /** No nonlinearity, as after a linear layer or convolution. */
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

        /** {@return the recommended gain, with a slope of 0.01 for leaky ReLU} */
        public double gain() {
            return gain(0.01);
        }

        /**
         * {@return the recommended gain}
         *
         * @param negativeSlope the slope of a leaky ReLU; ignored by others
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

    /** Fill with a constant. */
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
     * @throws IllegalArgumentException when the tensor is not a matrix
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

    /** Fill with values from a uniform distribution. */
    public static Tensor uniform_(Tensor tensor, double from, double to, RandomGenerator random) {
        return GradMode.noGrad(() -> tensor.uniform_(random, from, to));
    }

    /** Fill with values from a normal distribution. */
    public static Tensor normal_(Tensor tensor, double mean, double std, RandomGenerator random) {
        return GradMode.noGrad(() -> tensor.normal_(random, mean, std));
    }

    /**
     * Fill with values from a truncated normal distribution.
     *
     * @param a the minimum
     * @param b the maximum
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

    /** Draw a standard normal value from an interval, by rejection sampling. */
    private static double truncated(double low, double high, RandomGenerator random) {
        boolean wide = low < 0 && high > 0 && high - low > 2.5; // most normal values are inside
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

    /** Fill by Xavier (Glorot) initialization from a uniform distribution. */
    public static Tensor xavierUniform_(Tensor tensor, double gain, RandomGenerator random) {
        double bound = gain * Math.sqrt(6.0 / (fan(tensor, true) + fan(tensor, false)));
        return uniform_(tensor, -bound, bound, random);
    }

    /** Fill by Xavier (Glorot) initialization from a normal distribution. */
    public static Tensor xavierNormal_(Tensor tensor, double gain, RandomGenerator random) {
        double std = gain * Math.sqrt(2.0 / (fan(tensor, true) + fan(tensor, false)));
        return normal_(tensor, 0, std, random);
    }

    /**
     * Fill by Kaiming (He) initialization from a uniform distribution.
     *
     * @param gain from {@link Nonlinearity#gain}
     */
    public static Tensor kaimingUniform_(
            Tensor tensor, FanMode mode, double gain, RandomGenerator random) {
        double bound = gain * Math.sqrt(3.0 / fan(tensor, mode == FanMode.FAN_IN));
        return uniform_(tensor, -bound, bound, random);
    }

    /**
     * Fill by Kaiming (He) initialization from a normal distribution.
     *
     * @param gain from {@link Nonlinearity#gain}
     */
    public static Tensor kaimingNormal_(
            Tensor tensor, FanMode mode, double gain, RandomGenerator random) {
        double std = gain / Math.sqrt(fan(tensor, mode == FanMode.FAN_IN));
        return normal_(tensor, 0, std, random);
    }

    /**
     * Fill with a semi-orthogonal matrix times a gain. Dimensions after the first are flattened.
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

    /** {@return the fan-in or fan-out of a weight} */
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
}
