package org.gradwire.runtime.authorization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/** The grammar of policies, what rules permit, and what the errors name. */
class PolicyParserTest {
    private static Policy parse(String text) {
        return new PolicyParser(text, "the options").parse();
    }

    @Test
    void rulesPermitActionsToWorkersByTheirNames() {
        Policy policy =
                parse("trainer*, ps:0 : org.x.Embedding.*, gradwire::fetch;*: org.x.Health.ping; ");
        assertTrue(policy.permits("trainer7", "org.x.Embedding.lookUp"));
        assertTrue(policy.permits("ps:0", "gradwire::fetch"));
        assertTrue(policy.permits("ps:0", "org.x.Health.ping"));
        assertTrue(policy.permits("stranger", "org.x.Health.ping"));
        assertFalse(policy.permits("stranger", "org.x.Embedding.lookUp"));
        assertFalse(policy.permits("trainer7", "org.x.Embedding"));
        assertFalse(policy.permits("trainer7", "gradwire::autograd"));
        assertFalse(policy.permits("ps", "gradwire::fetch"));
    }

    @Test
    void constructorsOperatorsAndExtensionsHaveNames() {
        Policy policy = parse("a: org.x.Embedding, aten::add.Tensor, gradwire::message-1c0");
        assertTrue(policy.permits("a", "org.x.Embedding"));
        assertTrue(policy.permits("a", "aten::add.Tensor"));
        assertTrue(policy.permits("a", "gradwire::message-1c0"));
        assertFalse(policy.permits("a", "aten::add.Scalar"));
    }

    @Test
    void starPermitsEverything() {
        Policy policy = parse("admin: *");
        assertTrue(policy.permits("admin", "org.x.Any.thing"));
        for (Permission permission : Permission.values()) {
            assertTrue(policy.permits("admin", permission.action()));
        }
    }

    @Test
    void rulesOfAWorkerAreThoseWithItsName() {
        Policy policy = parse("a: x.y ; b, a*: x.z; c: *");
        assertEquals(List.of("a: x.y", "b, a*: x.z"), policy.rulesFor("a"));
        assertEquals(List.of(), policy.rulesFor("d"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trainer*:org.x.F.f                 | 1  | 'trainer*:org.x.F.f' | no colon with a space",
                "a: x.y;; b: x.z                    | 8  | ''                   | a rule is empty",
                ";a: x.y                            | 1  | ''                   | a rule is empty",
                "a: x.y; b                          | 9  | 'b'                  | no colon with a space",
                "a, : x.y                           | 4  | ''                   | name of a worker is missing",
                ": x.y                              | 1  | ''                   | name of a worker is missing",
                "a b: x.y                           | 1  | 'a b'                | its character 2, ' '",
                "a: x.y, b.c d                      | 9  | 'b.c d'              | its character 4, ' '",
                "a:                                 | 3  | ''                   | a permission is missing",
                "a: x.y,                            | 8  | ''                   | a permission is missing",
                "a: x.F#f                           | 4  | 'x.F#f'              | class.method",
                "a: x.Outer$Inner.f                 | 4  | 'x.Outer$Inner.f'    | class.method",
                "a: x.F.f()                         | 4  | 'x.F.f()'            | its character 6, '('",
                "ä: x.F.f                           | 1  | 'ä'                  | names of workers have",
                "a: x.y; *: gradwire::fetsch        | 12 | 'gradwire::fetsch'   | gradwire::fetch,",
                "a: gradwire::message-xyz           | 4  | 'gradwire::message-xyz' | no such permission",
            })
    void faultsAreNamedWithTheirPositions(String text, int position, String part, String why) {
        String message =
                String.valueOf(
                        assertThrows(RpcConfigurationException.class, () -> parse(text))
                                .getMessage());
        assertTrue(
                message.startsWith(
                        "gradwire.allow (from the options) is invalid at character %d, '%s': "
                                .formatted(position, part)),
                message);
        assertTrue(message.contains(why), message);
        assertTrue(message.endsWith("Write " + PolicyParser.FORM), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: gradwire::type_name", "a: gradwire::*", "*: *", "a-b_c:1: é.Ü_1.f"})
    void unusualNamesAreValid(String text) {
        assertEquals(1, parse(text).rules().size());
    }

    private static @Nullable Policy policyOf(Map<String, String> properties) {
        RpcOptions.Builder options = RpcOptions.builder();
        properties.forEach(options::set);
        return Policy.of(
                LayeredSettings.collect(
                        options.build(),
                        RuntimeSettings.ALL,
                        ClassLoader.getPlatformClassLoader()));
    }

    @Test
    void anEmptyPolicyIsRefusedAndNoneIsNull() {
        assertNull(policyOf(Map.of()));
        Policy policy = policyOf(Map.of("gradwire.allow", "a: b.c"));
        assertNotNull(policy);
        assertTrue(policy.permits("a", "b.c"));
        var refused =
                assertThrows(
                        RpcConfigurationException.class,
                        () -> policyOf(Map.of("gradwire.allow", " ")));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("gradwire.allow (from the options) is set but has no rules"),
                refused.getMessage());
    }
}
