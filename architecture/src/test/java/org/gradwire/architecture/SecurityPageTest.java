package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tests and rules that the security page cites exist. */
class SecurityPageTest {
    private static final Pattern CITED =
            Pattern.compile("`([A-Z]\\w*(?:Test|Cases|Conformance))(?:#(\\w+))?`");
    private static final Pattern RULES = Pattern.compile("\\b((?:TRUST|AUTH)-\\d+)\\b");
    private static final int LEAST = 20;

    @Test
    void citedTestsExist() throws IOException {
        Map<String, String> sources = sources();
        var missing = new TreeSet<String>();
        List<MatchResult> cited = CITED.matcher(page("security.md")).results().toList();
        assertTrue(cited.size() >= LEAST, cited.size() + " citations");
        for (MatchResult citation : cited) {
            String source = sources.get(citation.group(1));
            String method = citation.group(2);
            if (source == null || (method != null && !source.contains(" " + method + "("))) {
                missing.add(citation.group());
            }
        }
        assertEquals(new TreeSet<String>(), missing);
    }

    @Test
    void citedRulesExist() throws IOException {
        String rules = page("BACKEND-RULES.md");
        List<String> cited =
                RULES.matcher(page("security.md")).results().map(rule -> rule.group(1)).toList();
        assertTrue(cited.size() > 2, cited::toString);
        cited.forEach(rule -> assertTrue(rules.contains("* **" + rule + "** "), rule));
    }

    private static String page(String name) throws IOException {
        return Files.readString(Reactor.root().resolve("docs").resolve(name));
    }

    /** {@return the sources of tests, cases and the kit, by the names of their classes} */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(Reactor.root())) {
            for (Path module : modules.filter(folder -> isModule(folder)).toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                    for (Path file : files.filter(SecurityPageTest::mayBeCited).toList()) {
                        String name = String.valueOf(file.getFileName());
                        sources.put(name.replace(".java", ""), Files.readString(file));
                    }
                }
            }
        }
        return sources;
    }

    private static boolean isModule(Path folder) {
        return Files.exists(folder.resolve("pom.xml")) && Files.exists(folder.resolve("src"));
    }

    private static boolean mayBeCited(Path file) {
        return file.toString().matches(".*(Test|Cases|Conformance)\\.java");
    }
}
