package org.gradwire.tensor.operator.sample;

import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Error samples shared by operators. */
public final class ErrorSamples {
    /** Two tensors whose shapes do not broadcast. */
    public static final ErrorSample.Samples UNLIKE_SHAPES =
            s ->
                    List.of(
                            refusal(
                                    "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1; the shapes are [2, 3] and [4]",
                                    s.tensor(2, 3),
                                    s.tensor(4)));

    /** A dimension out of range. */
    public static final ErrorSample.Samples DIMENSION =
            s ->
                    List.of(
                            outside(range(-2, 1, 2), s.tensor(2, 3), 2),
                            outside(range(-3, 2, -4), s.tensor(2, 3, 4), -4));

    /** As {@link #DIMENSION}, with a {@code keepdim} argument. */
    public static final ErrorSample.Samples DIMENSION_OR_KEPT =
            s ->
                    List.of(
                            outside(range(-2, 1, 2), s.tensor(2, 3), 2, false),
                            outside(range(-1, 0, -2), s.tensor(3), -2, true));

    /** Dimensions out of range or repeated, with a {@code keepdim} argument. */
    public static final ErrorSample.Samples DIMENSIONS_OR_KEPT =
            s ->
                    List.of(
                            outside(range(-2, 1, 2), s.tensor(2, 3), new int[] {0, 2}, false),
                            refusal(
                                    "dim 0 appears multiple times in the list of dims",
                                    s.tensor(2, 3),
                                    new int[] {0, -2},
                                    true));

    private ErrorSamples() {}

    /** {@return the message for a dimension out of range} */
    public static String range(int first, int last, int dimension) {
        return "Dimension out of range (expected to be in range of [%d, %d], but got %d)"
                .formatted(first, last, dimension);
    }

    /** {@return the message for an argument of another type} */
    public static String type(String operator, String type, String argument) {
        return "aten::%s expected a value of type '%s' for argument '%s' but instead found type 'String'. Declaration: "
                .formatted(operator, type, argument);
    }

    /** {@return one for arguments with all tensors made sparse} */
    public static ErrorSample sparse(String operator, @Nullable Object[] args) {
        @Nullable Object[] sparse = args.clone();
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof Tensor tensor) {
                sparse[i] = tensor.detach().toSparse();
            }
        }
        return refusal(operator + " is not implemented for sparse tensors; call toDense()", sparse);
    }
}
