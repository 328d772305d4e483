package org.gradwire.conformance.flaws;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.BackendProvider;
import org.opentest4j.TestAbortedException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Which rule catches which broken backend, over one sound backend. Thread-safe.
 *
 * <p>By system property {@code conformance.full-matrix=true} every flaw is run against every rule;
 * else against those it is to break, and a few cheap ones.
 */
public final class KillMatrix {
    private static final String FULL = "conformance.full-matrix";

    /** Rules that take no time, which show that a broken backend is not just dead. */
    private static final List<String> CHEAP = List.of("SEND-4", "SEND-7", "INFO-1");

    /** What came of a flaw under a rule. */
    public enum Verdict {
        /** The rule was broken, and said so. */
        CAUGHT,
        /** The rule does not see this flaw. */
        PASSED,
        /** The rule could not be checked, since another one is broken, and said which. */
        BLAMED,
        /** The rule is not for this backend. */
        SKIPPED;

        /** {@return the word for it in the report} */
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
    private final Map<String, Map<String, Cell>> rows = new ConcurrentSkipListMap<>();

    /**
     * Create a matrix without rows.
     *
     * @param backend the sound one, with the patience that is to be had with broken ones
     */
    public KillMatrix(BackendProvider sound, BackendUnderTest backend) {
        this.sound = sound;
        this.backend = backend;
    }

    /** {@return the rules that a flaw is run against} */
    private static List<Rule> rulesFor(Flaw flaw) {
        return Rules.ALL.stream()
                .filter(rule ->
                        Boolean.getBoolean(FULL)
                                || flaw.breaks().contains(rule.id())
                                || CHEAP.contains(rule.id()))
                .toList();
    }

    /**
     * Run a broken backend, and check that it is caught by each rule it is to break, and by the
     * rule's name, but keeps another one: else it would be dead rather than broken.
     *
     * @throws AssertionError when it survives
     * @throws TestAbortedException when no rule it is to break is for this backend
     */
    public void run(Flaw flaw) {
        Map<String, Cell> row = new TreeMap<>();
        for (Rule rule : rulesFor(flaw)) {
            row.put(rule.id(), verify(rule, flaw));
        }
        rows.put(flaw.name(), row);
        for (String id : flaw.breaks()) {
            Cell cell = row.getOrDefault(id, new Cell(Verdict.SKIPPED, "there is no rule " + id));
            switch (cell.verdict) {
                case PASSED ->
                        throw new AssertionError(
                                "%s survives rule %s over backend '%s'"
                                        .formatted(flaw, id, backend.name()));
                case BLAMED ->
                        throw new AssertionError(
                                "%s is taken by rule %s for the break of another one: %s"
                                        .formatted(flaw, id, cell.text));
                case SKIPPED -> throw new TestAbortedException(cell.text);
                case CAUGHT -> requireName(cell.text, id);
            }
        }
        if (row.values().stream().noneMatch(cell -> cell.verdict == Verdict.PASSED)) {
            throw new AssertionError(
                    "%s breaks every rule it was run against, %s: is it a backend at all?"
                            .formatted(flaw, row.keySet()));
        }
    }

    private static void requireName(String message, String id) {
        if (!message.startsWith("rule " + id + " is broken by backend")) {
            throw new AssertionError("the message does not name rule " + id + ": " + message);
        }
    }

    private Cell verify(Rule rule, Flaw flaw) {
        try {
            rule.verify(flaw.wrap().apply(sound), backend.withName("broken " + flaw.name()));
            return new Cell(Verdict.PASSED, "");
        } catch (TestAbortedException e) {
            return new Cell(Verdict.SKIPPED, String.valueOf(e.getMessage()));
        } catch (AssertionError e) {
            String text = String.valueOf(e.getMessage());
            boolean blames = text.startsWith("rule %s cannot be checked".formatted(rule.id()));
            return new Cell(blames ? Verdict.BLAMED : Verdict.CAUGHT, text);
        }
    }

    /** {@return the verdict of each rule that a flaw was run against} */
    public Map<String, Verdict> verdicts(Flaw flaw) {
        Map<String, Verdict> verdicts = new TreeMap<>();
        rows.getOrDefault(flaw.name(), Map.of())
                .forEach((id, cell) -> verdicts.put(id, cell.verdict));
        return verdicts;
    }

    /** {@return the rules that caught something, by name} */
    public List<String> killers() {
        return Rules.ALL.stream().map(Rule::id).filter(this::isKiller).toList();
    }

    private boolean isKiller(String rule) {
        return rows.values().stream()
                .map(row -> row.get(rule))
                .anyMatch(cell -> cell != null && cell.verdict == Verdict.CAUGHT);
    }

    /** {@return a line for each flaw, with the rules that caught it, and those that did not} */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        rows.forEach((flaw, row) ->
                lines.add(
                        "%-27s caught by %s; not by %s"
                                .formatted(
                                        flaw, ids(row, Verdict.CAUGHT), ids(row, Verdict.PASSED))));
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
