package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Padding rules. */
public final class PaddingRules {

    private PaddingRules() {}

    /**
     * Pad the last dimensions.
     *
     * @param pad before and after the last dimension, before and after the one before it, and so on
     */
    public static Tensor of(Tensor x, int[] pad, String mode, @Nullable Double value) {
        check(x, pad);
        if (!mode.equals("constant")) {
            checkPicks(x, pad, mode);
        }
        Tensor result = x;
        for (int i = 0; i < pad.length; i += 2) {
            int d = TensorAccess.dims(x).length - 1 - i / 2;
            result =
                    mode.equals("constant")
                            ? constant(result, d, pad[i], pad[i + 1], value == null ? 0 : value)
                            : picked(result, d, pad[i], pad[i + 1], mode);
        }
        boolean grows = Arrays.stream(pad).anyMatch(size -> size > 0);
        return mode.equals("constant") && !grows ? result.copy() : result;
    }

    private static void check(Tensor x, int[] pad) {
        if (pad.length % 2 != 0) {
            throw new IllegalArgumentException("Padding length must be divisible by 2");
        }
        if (pad.length > 2 * TensorAccess.dims(x).length) {
            throw new IllegalArgumentException(
                    "Padding length should be less than or equal to two times the input dimension but got padding length %d and input of dimension %d"
                            .formatted(pad.length, TensorAccess.dims(x).length));
        }
        for (int i = 0; i < pad.length; i += 2) {
            int size = TensorAccess.dims(x)[TensorAccess.dims(x).length - 1 - i / 2];
            long padded = (long) size + pad[i] + pad[i + 1];
            if (padded < 0 || size + Math.min(pad[i], 0L) + Math.min(pad[i + 1], 0L) < 0) {
                throw new IllegalArgumentException(
                        "The input size %d, plus negative padding %d and %d resulted in a negative output size, which is invalid. Check dimension %d of your input."
                                .formatted(
                                        size,
                                        pad[i],
                                        pad[i + 1],
                                        TensorAccess.dims(x).length - 1 - i / 2));
            }
        }
    }

    private static void checkPicks(Tensor x, int[] pad, String mode) {
        if (!List.of("reflect", "replicate", "circular").contains(mode)) {
            throw new IllegalArgumentException(
                    "Unrecognised padding mode %s; expected constant, reflect, replicate or circular"
                            .formatted(mode));
        }
        int leading = TensorAccess.dims(x).length - pad.length / 2;
        if (pad.length == 0 || leading < 1 || leading > 2) {
            throw new IllegalArgumentException(
                    "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now: the padded dimensions follow one or two others, got padding %s for %s"
                            .formatted(Arrays.toString(pad), TensorAccess.describe(x)));
        }
        for (int i = 0; i < pad.length; i += 2) {
            int d = TensorAccess.dims(x).length - 1 - i / 2;
            int most = Math.max(pad[i], pad[i + 1]);
            int limit =
                    switch (mode) {
                        case "reflect" -> TensorAccess.dims(x)[d] - 1;
                        case "circular" -> TensorAccess.dims(x)[d];
                        default -> TensorAccess.dims(x)[d] == 0 ? 0 : Integer.MAX_VALUE;
                    };
            if (most > limit) {
                throw new IllegalArgumentException(
                        "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (%d, %d) at dimension %d of input %s"
                                .formatted(
                                        pad[i],
                                        pad[i + 1],
                                        d,
                                        Arrays.toString(TensorAccess.dims(x))));
            }
        }
    }

    private static Tensor constant(Tensor x, int dim, int before, int after, double value) {
        int start = Math.max(-before, 0);
        int rest = TensorAccess.dims(x)[dim] - start - Math.max(-after, 0);
        Tensor kept = rest == TensorAccess.dims(x)[dim] ? x : x.narrow(dim, start, rest);
        if (before <= 0 && after <= 0) {
            return kept;
        }
        List<Tensor> parts = new ArrayList<>();
        if (before > 0) {
            parts.add(filled(kept, dim, before, value));
        }
        parts.add(kept);
        if (after > 0) {
            parts.add(filled(kept, dim, after, value));
        }
        return Ops.cat(parts, dim);
    }

    private static Tensor filled(Tensor like, int dim, int size, double value) {
        int[] shape = TensorAccess.dims(like).clone();
        shape[dim] = size;
        Tensor result = Tensor.zeros(like.dtype(), shape);
        if (value != 0) {
            Elementwise.fill(result, value);
        }
        return result;
    }

    private static Tensor picked(Tensor x, int dim, int before, int after, String mode) {
        int size = TensorAccess.dims(x)[dim];
        long[] places = new long[size + before + after];
        for (int i = 0; i < places.length; i++) {
            int at = i - before;
            places[i] =
                    switch (mode) {
                        case "reflect" -> reflected(at, size);
                        case "circular" -> Math.floorMod(at, size);
                        default -> Math.clamp(at, 0, size - 1);
                    };
        }
        return x.indexSelect(dim, Tensor.of(places));
    }

    private static long reflected(int at, int size) {
        long inside = Math.abs((long) at);
        return inside < size ? inside : 2L * (size - 1) - inside;
    }
}
