package org.gradwire.tensor.operator.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.gradwire.tensor.operator.OperatorRow;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.stream.Collectors;

class OperatorIndexTest {

    @Test
    void theNamesOfGroupsAreThoseOfTheirRows() {
        assertFalse(OperatorIndex.GROUPS.isEmpty());
        for (RowGroup group : OperatorIndex.GROUPS) {
            assertEquals(
                    group.rows().stream().map(OperatorRow::name).collect(Collectors.toSet()),
                    Set.copyOf(group.names()));
            assertEquals(group.rows().size(), group.names().size());
        }
    }
}
