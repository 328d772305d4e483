package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/**
 * Each row takes tensors of each type, alike or mixed, or says why it does not: whatever a caller
 * sends, no kernel is asked for what it cannot do.
 */
class RowTypesTest {

    static Stream<RowCase> cases() {
        return RowCases.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void anyTypeIsTakenOrRefused(RowCase rowCase) {
        for (DType first : DType.values()) {
            for (DType others : DType.values()) {
                takesOrRefuses(rowCase, first, others, false);
                takesOrRefuses(rowCase, first, others, true);
            }
        }
    }

    private static void takesOrRefuses(
            RowCase rowCase, DType first, DType others, boolean withScalar) {
        @Nullable Object[] args = rowCase.args();
        int tensors = 0;
        for (int i = 0; i < args.length; i++) {
            DType dtype = tensors == 0 ? first : others;
            if (args[i] instanceof Tensor tensor) {
                Tensor cast = tensor.detach().to(dtype);
                boolean shrinks =
                        withScalar && tensors == 1 && cast.numel() > 0 && !cast.isSparse();
                args[i] = shrinks ? cast.reshape(-1).select(0, 0) : cast;
                tensors++;
            } else if (args[i] instanceof List<?> list) {
                args[i] = list.stream().map(each -> ((Tensor) each).detach().to(others)).toList();
            }
        }
        String what = "%s of %s and %s".formatted(rowCase, first, others);
        try {
            assertFalse(RowCases.results(rowCase.row().apply(args)).isEmpty(), what);
        } catch (IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException refused) {
            String text = String.valueOf(refused.getMessage());
            assertFalse(refused instanceof ArrayIndexOutOfBoundsException, what + ": " + text);
        } catch (ArithmeticException refused) {
            String text = String.valueOf(refused.getMessage());
            assertTrue(text.startsWith("ZeroDivisionError: "), what + ": " + text);
        } catch (RuntimeException broken) {
            fail(what, broken);
        }
    }
}
