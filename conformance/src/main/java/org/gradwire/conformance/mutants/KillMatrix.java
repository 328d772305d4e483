package org.gradwire.conformance.mutants;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.RuleVerifier;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.BackendProvider;
import org.opentest4j.TestAbortedException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The kill matrix: which rules kill which mutants of one correct backend. Thread-safe.
 *
 * <p>By default each mutant runs against the rules it breaks, and against a few cheap ones until it
 * keeps one; with system property {@code conformance.full-matrix=true}, against all rules.
 */
public final class KillMatrix {
    private static final String FULL = "conformance.full-matrix";

    /** Fast rules, which show that a mutant is not simply dead. */
    private static final List<String> CHEAP = List.of("SEND-4", "SEND-7", "INFO-1");

    /** The result of running a mutant against a rule. */
    public enum Verdict {
        /** The rule failed and named itself: the mutant is killed. */
        CAUGHT,
        /** The rule passed: the mutant survives it. */
        PASSED,
        /** The rule failed but blamed another rule. */
        BLAMED,
        /** The rule does not apply to this backend. */
        SKIPPED;

        /** {@return the name of the verdict in the report} */
        public String text() {
            return switch (this) {
                case CAUGHT -> "caught";
                case PASSED -> "passed";
                case BLAMED -> "blamed";
                case SKIPPED -> "skipped";
            };
        }
    }

    private record Cell(Verdict verdict, String text) {}

    private final BackendProvider sound;
    private final BackendUnderTest backend;
    private final BackendUnderTest hurried;
    private final Map<String, Map<String, Cell>> rows = new ConcurrentSkipListMap<>();

    /**
     * Create an empty matrix.
     *
     * @param backend the correct backend, for rules that a mutant keeps
     * @param hurried the correct backend with less patience, for rules that a mutant breaks: most
     *     wait for an event that never happens
     */
    public KillMatrix(BackendProvider sound, BackendUnderTest backend, BackendUnderTest hurried) {
        this.sound = sound;
        this.backend = backend;
        this.hurried = hurried;
    }

    private Map<String, Cell> row(Mutant mutant) {
        Map<String, Cell> row = new TreeMap<>();
        boolean full = Boolean.getBoolean(FULL);
        for (Rule rule : rules(mutant.breaks())) {
            row.put(rule.id(), verify(rule, mutant, hurried));
        }
        for (Rule rule : full ? Rules.ALL : rules(CHEAP)) {
            if (!row.containsKey(rule.id()) && (full || !keepsOne(row))) {
                row.put(rule.id(), verify(rule, mutant, backend));
            }
        }
        return row;
    }

    private static List<Rule> rules(List<String> ids) {
        return Rules.ALL.stream().filter(rule -> ids.contains(rule.id())).toList();
    }

    private static boolean keepsOne(Map<String, Cell> row) {
        return row.values().stream().anyMatch(cell -> cell.verdict == Verdict.PASSED);
    }

    /**
     * Run a mutant, and check that each rule it breaks kills it and names itself, and that it
     * survives another rule; a mutant that survives none would be dead rather than broken.
     *
     * @throws AssertionError if it survives a rule that it breaks
     * @throws TestAbortedException if none of the rules it breaks applies to this backend
     */
    public void run(Mutant mutant) {
        Map<String, Cell> row = row(mutant);
        rows.put(mutant.name(), row);
        for (String id : mutant.breaks()) {
            Cell cell = row.getOrDefault(id, new Cell(Verdict.SKIPPED, "there is no rule " + id));
            switch (cell.verdict) {
                case PASSED ->
                        throw new AssertionError(
                                "%s survives rule %s over backend '%s'"
                                        .formatted(mutant, id, backend.name()));
                case BLAMED ->
                        throw new AssertionError(
                                "%s makes rule %s blame another rule: %s"
                                        .formatted(mutant, id, cell.text));
                case SKIPPED -> throw new TestAbortedException(cell.text);
                case CAUGHT -> requireName(cell.text, id);
            }
        }
        if (!keepsOne(row)) {
            throw new AssertionError(
                    "%s breaks all rules it was run against; a mutant must keep at least one: %s"
                            .formatted(mutant, row));
        }
    }

    private static void requireName(String message, String id) {
        if (!message.startsWith("rule " + id + " is broken by backend")) {
            throw new AssertionError("the message does not name rule " + id + ": " + message);
        }
    }

    private Cell verify(Rule rule, Mutant mutant, BackendUnderTest bounds) {
        try {
            RuleVerifier.verify(
                    rule, mutant.wrap().apply(sound), bounds.withName("broken " + mutant.name()));
            return new Cell(Verdict.PASSED, "");
        } catch (TestAbortedException e) {
            return new Cell(Verdict.SKIPPED, String.valueOf(e.getMessage()));
        } catch (AssertionError e) {
            String text = String.valueOf(e.getMessage());
            boolean blames = text.startsWith("rule %s cannot be checked".formatted(rule.id()));
            return new Cell(blames ? Verdict.BLAMED : Verdict.CAUGHT, text);
        }
    }

    /** {@return the verdicts on a mutant, by rule} */
    public Map<String, Verdict> verdicts(Mutant mutant) {
        Map<String, Verdict> verdicts = new TreeMap<>();
        rows.getOrDefault(mutant.name(), Map.of())
                .forEach((id, cell) -> verdicts.put(id, cell.verdict));
        return verdicts;
    }

    /** {@return ids of the rules that killed at least one mutant} */
    public List<String> killers() {
        return Rules.ALL.stream().map(Rule::id).filter(this::isKiller).toList();
    }

    private boolean isKiller(String rule) {
        return rows.values().stream()
                .map(row -> row.get(rule))
                .anyMatch(cell -> cell != null && cell.verdict == Verdict.CAUGHT);
    }

    /** {@return a line for each mutant, with the rules that killed it and those it survived} */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        rows.forEach((mutant, row) ->
                lines.add(
                        "%-27s caught by %s; not by %s"
                                .formatted(
                                        mutant,
                                        ids(row, Verdict.CAUGHT),
                                        ids(row, Verdict.PASSED))));
        return lines;
    }

    private static String ids(Map<String, Cell> row, Verdict verdict) {
        List<String> ids =
                row.entrySet().stream()
                        .filter(cell -> cell.getValue().verdict == verdict)
                        .map(Map.Entry::getKey)
                        .toList();
        return ids.isEmpty() ? "none" : String.join(" ", ids);
    }
}
