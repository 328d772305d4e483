package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.PaddingRules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Padding, diagonals, grids and pixel shuffles. */
@OperatorFamily
public final class PaddingRows {
    /**
     * Add elements before and after the last dimensions: {@code [before the last, after it, before
     * the one before, ...]}; negative numbers take away. Modes are {@code constant}, with a value,
     * {@code reflect}, {@code replicate} and {@code circular}; the latter three are for all but one
     * or two leading dimensions.
     */
    @TensorMethod("value = null")
    @TensorMethod({"mode = constant", "value = null"})
    public static final OperatorRow PAD =
            composite("aten::pad(Tensor self, int[] pad, String mode, float? value)")
                    .forward(a ->
                            PaddingRules.of(
                                    a.tensor(0), a.integers(1), a.text(2), (Double) a.values()[3]))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Padding length must be divisible by 2",
                                            s.tensor(2, 3),
                                            new int[] {1},
                                            "constant",
                                            null),
                                    refusal(
                                            "Padding length should be less than or equal to two times the input dimension but got padding length 4 and input of dimension 1",
                                            s.tensor(3),
                                            new int[] {1, 1, 1, 1},
                                            "constant",
                                            null),
                                    refusal(
                                            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (3, 1) at dimension 2 of input [1, 2, 3]",
                                            s.tensor(1, 2, 3),
                                            new int[] {3, 1},
                                            "reflect",
                                            null),
                                    refusal(
                                            "Unrecognised padding mode zigzag",
                                            s.tensor(1, 2, 3),
                                            new int[] {1, 1},
                                            "zigzag",
                                            null),
                                    refusal(
                                            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now",
                                            s.tensor(1, 2, 3, 4),
                                            new int[] {1, 1},
                                            "reflect",
                                            null),
                                    refusal(
                                            "The input size 3, plus negative padding -2 and -2 resulted in a negative output size",
                                            s.tensor(3),
                                            new int[] {-2, -2},
                                            "constant",
                                            null)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), new int[] {1, 2}, "constant", 0.5),
                                    args(s.tensor(2, 3), new int[] {-1, 1, 2, 0}, "constant", null),
                                    args(s.transposed(3, 4), new int[] {0, 1}, "constant", null),
                                    args(s.longs(2, 3), new int[] {1, 1}, "constant", 2.0),
                                    args(s.tensor(2, 3, 4), new int[] {2, 1}, "reflect", null),
                                    args(
                                            s.tensor(1, 2, 3, 4),
                                            new int[] {2, 1, 1, 2},
                                            "reflect",
                                            null),
                                    args(s.tensor(2, 3, 4), new int[] {2, 3}, "replicate", null),
                                    args(
                                            s.tensor(2, 3, 4),
                                            new int[] {2, 3, 1, 0},
                                            "replicate",
                                            null),
                                    args(s.tensor(1, 2, 3), new int[] {2, 1}, "circular", null),
                                    args(
                                            s.tensor(1, 2, 3, 4),
                                            new int[] {2, 1, 1, 0},
                                            "circular",
                                            null)));

    /** View the diagonal of a matrix, or make the matrix that has a vector on a diagonal. */
    @TensorMethod("diagonal = 0")
    public static final OperatorRow DIAG =
            composite("aten::diag(Tensor self, int diagonal)")
                    .forward(a -> diag(a.tensor(0), a.integer(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "diag(): Supports 1D or 2D tensors. Got 3D",
                                            s.tensor(1, 2, 3),
                                            0)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3), 0),
                                    args(s.tensor(2), -1),
                                    args(s.tensor(2, 3), 1),
                                    args(s.tensor(2), 2)));

    /**
     * Make the coordinates of a grid of vectors: one tensor for each, of the shape of all. {@code
     * ij} has them in order, {@code xy} the first two exchanged.
     */
    public static final OperatorRow MESHGRID =
            composite("aten::meshgrid.indexing(Tensor[] tensors, String indexing) -> List")
                    .forward(a -> meshgrid(a.tensors(0), a.text(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ji",
                                            List.of(s.tensor(2)),
                                            "ji"),
                                    refusal(
                                            "meshgrid: Expected 0D or 1D tensor in the tensor list but got: float64[2, 3]",
                                            List.of(s.tensor(2, 3)),
                                            "ij")))
                    .samples(s ->
                            samples(
                                    args(List.of(s.tensor(2), s.tensor(3)), "ij"),
                                    args(List.of(s.tensor(2), s.tensor(3), s.tensor(4)), "xy"),
                                    args(List.of(s.tensor(2), s.tensor()), "ij")));

    /**
     * Rearrange channels into space: {@code [..., c * r * r, h, w]} becomes {@code [..., c, h * r,
     * w * r]}.
     */
    @TensorMethod
    public static final OperatorRow PIXEL_SHUFFLE =
            composite("aten::pixel_shuffle(Tensor self, int upscale_factor)")
                    .forward(a -> pixelShuffle(a.tensor(0), a.integer(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscaleFactor, but input.size(-3)=3 is not divisible by 4",
                                            s.tensor(3, 2, 2),
                                            2)))
                    .samples(s ->
                            samples(args(s.tensor(2, 8, 3, 2), 2), args(s.tensor(4, 1, 2), 2)));

    /** Rearrange space into channels: the inverse of {@link Ops#pixelShuffle}. */
    public static final OperatorRow PIXEL_UNSHUFFLE =
            composite("aten::pixel_unshuffle(Tensor self, int downscale_factor)")
                    .forward(a -> pixelUnshuffle(a.tensor(0), a.integer(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "pixel_unshuffle expects height and width to be divisible by downscaleFactor, but input of size [1, 3, 2] is not divisible by 2",
                                            s.tensor(1, 3, 2),
                                            2)))
                    .samples(s ->
                            samples(args(s.tensor(2, 2, 4, 6), 2), args(s.tensor(1, 3, 3), 3)));

    private PaddingRows() {}

    private static Tensor diag(Tensor x, int diagonal) {
        if (TensorAccess.dims(x).length == 2) {
            return x.diagonal(diagonal, 0, 1).copy();
        }
        if (TensorAccess.dims(x).length != 1) {
            throw new IllegalArgumentException(
                    "diag(): Supports 1D or 2D tensors. Got %dD"
                            .formatted(TensorAccess.dims(x).length));
        }
        int size = Math.addExact(TensorAccess.dims(x)[0], Math.absExact(diagonal));
        long[] places = new long[TensorAccess.dims(x)[0]];
        long first = diagonal > 0 ? diagonal : (long) -diagonal * size;
        for (int i = 0; i < places.length; i++) {
            places[i] = first + (long) i * (size + 1);
        }
        Tensor zeros = Tensor.zeros(x.dtype(), Math.multiplyExact(size, size));
        return zeros.scatter(0, Tensor.of(places), x).reshape(size, size);
    }

    private static List<Tensor> meshgrid(List<Tensor> tensors, String indexing) {
        boolean exchanged = indexing.equals("xy") && tensors.size() > 1;
        if (!indexing.equals("xy") && !indexing.equals("ij")) {
            throw new IllegalArgumentException(
                    "meshgrid: indexing must be one of \"xy\" or \"ij\", but received: "
                            + indexing);
        }
        int[] shape = new int[tensors.size()];
        for (int i = 0; i < shape.length; i++) {
            if (TensorAccess.dims(tensors.get(i)).length > 1) {
                throw new IllegalArgumentException(
                        "meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                                + TensorAccess.describe(tensors.get(i)));
            }
            shape[place(i, exchanged)] = tensors.get(i).numel();
        }
        List<Tensor> grid = new ArrayList<>();
        for (int i = 0; i < shape.length; i++) {
            int[] alone = new int[shape.length];
            Arrays.fill(alone, 1);
            alone[place(i, exchanged)] = tensors.get(i).numel();
            grid.add(tensors.get(i).reshape(alone).expand(shape));
        }
        if (grid.isEmpty()) {
            throw new IllegalArgumentException("meshgrid expects a non-empty TensorList");
        }
        return grid;
    }

    private static int place(int index, boolean exchanged) {
        return exchanged && index < 2 ? 1 - index : index;
    }

    private static Tensor pixelShuffle(Tensor x, int factor) {
        int rank = requireImage("pixel_shuffle", x, factor);
        int channels = TensorAccess.dims(x)[rank - 3];
        if (channels % (factor * factor) != 0) {
            throw new IllegalArgumentException(
                    "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscaleFactor, but input.size(-3)=%d is not divisible by %d"
                            .formatted(channels, factor * factor));
        }
        int height = TensorAccess.dims(x)[rank - 2];
        int width = TensorAccess.dims(x)[rank - 1];
        int left = channels / (factor * factor);
        Tensor parts = x.reshape(-1, left, factor, factor, height, width);
        int[] shape = TensorAccess.dims(x).clone();
        shape[rank - 3] = left;
        shape[rank - 2] = height * factor;
        shape[rank - 1] = width * factor;
        return parts.permute(0, 1, 4, 2, 5, 3).copy().reshape(shape); // never a view
    }

    private static Tensor pixelUnshuffle(Tensor x, int factor) {
        int rank = requireImage("pixel_unshuffle", x, factor);
        int height = TensorAccess.dims(x)[rank - 2];
        int width = TensorAccess.dims(x)[rank - 1];
        if (height % factor != 0 || width % factor != 0) {
            throw new IllegalArgumentException(
                    "pixel_unshuffle expects height and width to be divisible by downscaleFactor, but input of size %s is not divisible by %d"
                            .formatted(Arrays.toString(TensorAccess.dims(x)), factor));
        }
        int channels = TensorAccess.dims(x)[rank - 3];
        Tensor parts = x.reshape(-1, channels, height / factor, factor, width / factor, factor);
        int[] shape = TensorAccess.dims(x).clone();
        shape[rank - 3] = channels * factor * factor;
        shape[rank - 2] = height / factor;
        shape[rank - 1] = width / factor;
        return parts.permute(0, 1, 3, 5, 2, 4).copy().reshape(shape);
    }

    private static int requireImage(String name, Tensor x, int factor) {
        if (TensorAccess.dims(x).length < 3 || x.numel() == 0) {
            throw new IllegalArgumentException(
                    "%s expects input to have at least 3 dimensions and some elements, but got input with %s"
                            .formatted(name, Arrays.toString(TensorAccess.dims(x))));
        }
        if (factor <= 0 || factor > 1 << 15) {
            throw new IllegalArgumentException(
                    "%s expects a positive factor of at most 32768, but got %d"
                            .formatted(name, factor));
        }
        return TensorAccess.dims(x).length;
    }
}
