package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.Autocast;
import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

class AutocastPolicyTest {
    @Test
    void eachNameIsThatOfAnOperatorAndOfOnePolicy() {
        Set<String> operators =
                RowCases.all()
                        .map(rowCase -> rowCase.row().schema().name().replace("aten::", ""))
                        .collect(Collectors.toSet());
        Set<String> seen = new HashSet<>();
        for (AutocastPolicy policy : AutocastPolicy.values()) {
            for (String name : policy.operators()) {
                assertTrue(operators.contains(name), name);
                assertTrue(seen.add(name), name);
                assertEquals(policy, AutocastPolicy.of("aten::" + name));
            }
        }
        assertEquals(AutocastPolicy.NONE, AutocastPolicy.of("aten::relu"));
    }

    /** As when a thread that waits in these scopes computes it for another worker. */
    @Test
    void operatorsForOthersAreRecordedAndConvertNothing() {
        OperatorRow product =
                RowCases.all()
                        .map(RowCase::row)
                        .filter(row -> row.name().equals("aten::mm"))
                        .findFirst()
                        .orElseThrow();
        Tensor x = Tensor.ones(2, 2).requiresGrad(true);
        try (var _ = Autocast.enable(DType.FLOAT16);
                var _ = GradMode.noGrad()) {
            Tensor own = product.tensor(x, x);
            assertEquals(DType.FLOAT16, own.dtype());
            assertFalse(own.requiresGrad());
            Tensor served = (Tensor) product.apply(new Object[] {x, x});
            assertEquals(DType.FLOAT32, served.dtype());
            assertTrue(served.requiresGrad());
            assertFalse(GradMode.enabled());
        }
    }
}
