package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Operators whose results alias an operand: a change of one changes the other. */
class AliasesTest {
    private static final Set<String> VIEWS =
            Set.of(
                    "broadcast_tensors",
                    "broadcast_to",
                    "chunk",
                    "detach",
                    "diagonal",
                    "einsum",
                    "expand",
                    "expand_as",
                    "flatten",
                    "meshgrid",
                    "movedim",
                    "narrow",
                    "permute",
                    "reshape",
                    "select",
                    "slice",
                    "split",
                    "split_with_sizes",
                    "squeeze",
                    "t",
                    "transpose",
                    "unbind",
                    "unflatten",
                    "unsqueeze",
                    "view",
                    "view_as");

    private static boolean aliases(RowCase rowCase) {
        var args = rowCase.args();
        List<Tensor> inputs = rowCase.row().inputs(args);
        return RowCases.results(rowCase.row().apply(args)).stream()
                .anyMatch(result ->
                        inputs.stream()
                                .anyMatch(input ->
                                        input != result
                                                && TensorAccess.storage(input)
                                                        .equals(TensorAccess.storage(result))));
    }

    @Test
    void onlyViewsLieInTheMemoryOfTheirOperands() {
        Set<String> found =
                RowCases.all()
                        .filter(AliasesTest::aliases)
                        .map(rowCase -> rowCase.row().schema().name().replace("aten::", ""))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(VIEWS), found);
    }

    /** Cases that strides could express in the memory of the image. */
    @Test
    void rearrangedPixelsAreACopyInAnyShape() {
        Tensor image = Tensor.ones(2, 1, 4, 2);
        assertNotSame(
                TensorAccess.storage(image), TensorAccess.storage(Ops.pixelUnshuffle(image, 2)));
        Tensor parts = Tensor.ones(2, 4, 2, 1);
        assertNotSame(
                TensorAccess.storage(parts), TensorAccess.storage(Ops.pixelShuffle(parts, 2)));
    }
}
