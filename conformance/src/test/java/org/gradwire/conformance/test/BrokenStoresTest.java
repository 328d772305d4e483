package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.stores.StoreMutant;
import org.gradwire.conformance.stores.StoreMutants;
import org.gradwire.conformance.stores.StoreRule;
import org.gradwire.conformance.stores.StoreRules;
import org.gradwire.conformance.stores.StoreUnderTest;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tests that the rules of stores detect broken stores, and that their page has them all. */
class BrokenStoresTest {
    private static final Path PAGE = Path.of("../docs/STORE-RULES.md");
    private static final Pattern RULE =
            Pattern.compile(
                    "^\\* \\*\\*(STORE-\\d+)\\*\\* (.*?)(?=^\\* |^#|\\z)",
                    Pattern.MULTILINE | Pattern.DOTALL);
    private static final long SEED = 5;

    @TestFactory
    Stream<DynamicTest> eachIsKilledByTheRuleThatItBreaks() {
        StoreUnderTest correct =
                StoreUnderTest.of("inproc", () -> "inproc://" + UUID.randomUUID(), Map.of());
        return StoreMutants.ALL.stream()
                .map(mutant ->
                        DynamicTest.dynamicTest(
                                mutant.name(), () -> assertKilled(mutant, correct)));
    }

    private static void assertKilled(StoreMutant mutant, StoreUnderTest correct) {
        StoreUnderTest broken = mutant.of(correct);
        String text =
                assertThrows(AssertionError.class, () -> rule(mutant.breaks()).verify(broken, SEED))
                        .getMessage();
        assertTrue(text.startsWith("rule " + mutant.breaks() + " is broken by the store"), text);
        // A store that does not work at all would prove nothing.
        rule(mutant.breaks().equals("STORE-3") ? "STORE-2" : "STORE-3").verify(broken, SEED);
    }

    private static StoreRule rule(String id) {
        return StoreRules.ALL.stream()
                .filter(rule -> rule.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachRuleKillsAMutant() {
        assertEquals(
                new TreeSet<>(StoreRules.ALL.stream().map(StoreRule::id).toList()),
                new TreeSet<>(StoreMutants.ALL.stream().map(StoreMutant::breaks).toList()));
    }

    @Test
    void pageHasTheRulesInTheirOrder() throws IOException {
        List<String> page =
                RULE.matcher(Files.readString(PAGE))
                        .results()
                        .map(found ->
                                found.group(1)
                                        + " "
                                        + found.group(2).replaceAll("\\s+", " ").strip())
                        .toList();
        assertEquals(
                StoreRules.ALL.stream().map(rule -> rule.id() + " " + rule.text()).toList(), page);
    }
}
