package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
}
