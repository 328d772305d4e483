package org.gradwire.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.attack.operator.Operator;
import org.gradwire.attack.site.Wiring;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

class OptionsTest {

    @Test
    void argumentsReplaceDefaults() {
        assertEquals(
                new Options(5, 7, Duration.ofMinutes(30), "member/"),
                Options.parse(List.of("--inputs", "5", "--seed", "7", "--only", "member/")));
        assertEquals(20_000, Options.parse(List.of()).inputs());
        assertEquals(Duration.ofMinutes(2), Options.parse(List.of("--minutes", "2")).time());
    }

    @Test
    void malformedArgumentIsNamed() {
        for (List<String> wrong :
                List.of(
                        List.of("--inputs", "0"),
                        List.of("--seed", "x"),
                        List.of("--minutes"),
                        List.of("--often", "1"),
                        List.of("--only", "strangers/"))) {
            var failure = assertThrows(IllegalArgumentException.class, () -> Options.parse(wrong));
            assertTrue(failure.toString().contains(wrong.getFirst()), failure.toString());
        }
    }

    @Test
    void attackVectorsHaveUniqueNamesAndShareTheInputs() {
        Set<String> names = new HashSet<>();
        long inputs = 0;
        for (AttackVector attackVector : AttackVector.ALL) {
            assertTrue(names.add(attackVector.name()), attackVector.name());
            inputs += attackVector.inputs(100_000);
        }
        assertTrue(Math.abs(inputs - 100_000) < 20_000, inputs + " inputs");
    }

    @Test
    void operatorsAreKnownAndTheirGroupsHaveCertificates() {
        List<AttackVector> operators =
                AttackVector.ALL.stream().filter(AttackVector::isOperator).toList();
        assertEquals(
                List.of("operator/rotation", "operator/revocation"),
                operators.stream().map(AttackVector::name).toList());
        for (AttackVector operator : operators) {
            assertEquals(Wiring.CERTIFICATES, operator.wiring());
            assertNotNull(Operator.named(operator.attacker()));
        }
        assertThrows(IllegalArgumentException.class, () -> Operator.named("mutations"));
    }
}
