package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.mutants.Mutant;
import org.gradwire.conformance.mutants.Mutants;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tests that the page of rules, the checks and the mutants cover the same rules. */
class RulesPageTest {
    private static final Path PAGE = Path.of("../docs/BACKEND-RULES.md");
    private static final Pattern RULE =
            Pattern.compile(
                    "^\\* \\*\\*([A-Z]+-[0-9]+)\\*\\* (.*?)(?=^\\* |^#|\\z)",
                    Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void pageAndChecksHaveTheSameRulesInTheSameOrder() throws IOException {
        List<String> checked = Rules.ALL.stream().map(Rule::id).toList();
        assertEquals(checked, List.copyOf(page().keySet()));
    }

    @Test
    void eachSaysWhatItDemandsWhyAndWhatToLookFor() throws IOException {
        Map<String, String> page = page();
        for (Rule rule : Rules.ALL) {
            String said = String.valueOf(page.get(rule.id()));
            assertTrue(rule.text().matches("(MUST|SHOULD)\\b.*"), rule.id());
            assertTrue(said.startsWith(rule.text() + " *The intent:* "), rule.id() + ": " + said);
            assertTrue(
                    said.endsWith(" *When it fails, look for:* " + rule.hint() + "."),
                    rule.id() + ": " + said);
        }
    }

    @Test
    void eachIsBrokenByABrokenBackendThatIsMadeForIt() {
        var broken = new TreeSet<String>();
        for (Mutant mutant : Mutants.ALL) {
            broken.add(mutant.breaks().getFirst());
        }
        assertEquals(new TreeSet<>(Rules.ALL.stream().map(Rule::id).toList()), broken);
    }

    /** {@return the text of each rule on the page, on one line} */
    private static Map<String, String> page() throws IOException {
        Map<String, String> rules = new LinkedHashMap<>();
        Matcher matcher = RULE.matcher(Files.readString(PAGE));
        while (matcher.find()) {
            rules.put(matcher.group(1), matcher.group(2).replaceAll("\\s+", " ").strip());
        }
        return rules;
    }
}
