package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.Autocast;
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

    /** As when a thread that waits in a scope computes it for another worker. */
    @Test
    void operatorsForOthersConvertNothing() {
        OperatorRow product =
                RowCases.all()
                        .map(RowCase::row)
                        .filter(row -> row.name().equals("aten::mm"))
                        .findFirst()
                        .orElseThrow();
        Tensor x = Tensor.ones(2, 2);
        try (var _ = Autocast.enable(DType.FLOAT16)) {
            assertEquals(DType.FLOAT16, product.tensor(x, x).dtype());
            Object result = product.apply(new Object[] {x, x});
            assertEquals(DType.FLOAT32, ((Tensor) result).dtype());
        }
    }
}
