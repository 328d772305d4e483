package org.gradwire.runtime.authorization;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Parses a policy:
 *
 * <pre>
 * policy  = rule *( ";" rule ) [ ";" ]
 * rule    = workers ": " actions
 * workers = pattern *( "," pattern )
 * actions = pattern *( "," pattern )
 * </pre>
 *
 * <p>The colon of a rule is the first one before white space: names of workers and operators
 * contain colons too. White space around each part is ignored.
 */
final class PolicyParser {
    static final String FORM =
            "rules WORKERS: ACTIONS separated by semicolons, such as trainer*: org.x.Embedding.*, gradwire::fetch; *: org.x.Health.ping";

    private static final String OWN = "gradwire::";
    private static final Set<String> OWN_ACTIONS = MessageAccess.actions();

    private final String text;
    private final String origin;

    /** A part of the text. */
    private record Part(String text, int start) {

        /** {@return the same without white space around it} */
        Part strip() {
            String left = text.stripLeading();
            return new Part(left.strip(), start + text.length() - left.length());
        }

        List<Part> split(char separator) {
            List<Part> parts = new ArrayList<>();
            int from = 0;
            for (int end; (end = text.indexOf(separator, from)) >= 0; from = end + 1) {
                parts.add(new Part(text.substring(from, end), start + from));
            }
            parts.add(new Part(text.substring(from), start + from));
            return parts;
        }

        Part sub(int from, int end) {
            return new Part(text.substring(from, end), start + from);
        }
    }

    /**
     * Create the parser of a policy.
     *
     * @param origin the source of the text, for errors
     */
    PolicyParser(String text, String origin) {
        this.text = text;
        this.origin = origin;
    }

    /**
     * Parse.
     *
     * @throws RpcConfigurationException that names the first faulty part and its position, counted
     *     from 1
     */
    Policy parse() {
        List<Part> parts = new Part(text, 0).split(';');
        if (parts.size() > 1 && parts.getLast().text().isBlank()) {
            parts.removeLast();
        }
        return new Policy(parts.stream().map(Part::strip).map(this::rule).toList());
    }

    private PolicyRule rule(Part rule) {
        if (rule.text().isEmpty()) {
            throw wrong(rule, "a rule is empty; remove one semicolon");
        }
        int colon = colon(rule.text());
        if (colon < 0) {
            throw wrong(
                    rule,
                    "it has no colon with a space after it, between the workers and the actions");
        }
        List<NamePattern> workers = new ArrayList<>();
        for (Part worker : rule.sub(0, colon).split(',')) {
            workers.add(worker(worker.strip()));
        }
        List<NamePattern> actions = new ArrayList<>();
        for (Part action : rule.sub(colon + 1, rule.text().length()).split(',')) {
            actions.add(action(action.strip()));
        }
        return new PolicyRule(rule.text(), List.copyOf(workers), List.copyOf(actions));
    }

    private static int colon(String rule) {
        for (int i = 0; i < rule.length(); i++) {
            if (rule.charAt(i) == ':'
                    && (i + 1 == rule.length() || Character.isWhitespace(rule.charAt(i + 1)))) {
                return i;
            }
        }
        return -1;
    }

    private NamePattern worker(Part worker) {
        requireText(worker, "the name of a worker");
        requireCharacters(
                worker,
                c -> c < 128 && (Character.isLetterOrDigit(c) || "-_:*".indexOf(c) >= 0),
                "names of workers have letters, digits, '-', '_' and ':'");
        return new NamePattern(worker.text());
    }

    private NamePattern action(Part action) {
        requireText(action, "the name of a function, an operator or a permission");
        requireCharacters(
                action,
                c -> c != '$' && (isOfIdentifier(c) || ".:-*".indexOf(c) >= 0),
                "a function is written class.method, also in an inner class, a constructor as its class, and actions are separated by commas");
        String name = action.text();
        if (name.startsWith(OWN) && name.indexOf('*') < 0 && !isOwnAction(name)) {
            throw wrong(
                    action,
                    "there is no such permission; there are " + String.join(", ", OWN_ACTIONS));
        }
        return new NamePattern(name);
    }

    private static boolean isOwnAction(String name) {
        return OWN_ACTIONS.contains(name) || MessageAccess.isActionOfExtension(name);
    }

    private static boolean isOfIdentifier(int character) {
        return Character.isJavaIdentifierPart(character)
                && !Character.isIdentifierIgnorable(character);
    }

    private void requireText(Part part, String expected) {
        if (part.text().isEmpty()) {
            throw wrong(part, expected + " is missing");
        }
    }

    private void requireCharacters(Part part, IntPredicate allowed, String expected) {
        for (int i = 0, c; i < part.text().length(); i += Character.charCount(c)) {
            c = part.text().codePointAt(i);
            if (!allowed.test(c)) {
                throw wrong(
                        part,
                        "its character %d, '%s', is not one of a name: %s"
                                .formatted(i + 1, Character.toString(c), expected));
            }
        }
    }

    private RpcConfigurationException wrong(Part part, String why) {
        return new RpcConfigurationException(
                "%s (from %s) is invalid at character %d, '%s': %s. Write %s"
                        .formatted(
                                RuntimeSettings.ALLOW,
                                origin,
                                part.start() + 1,
                                part.text(),
                                why,
                                FORM));
    }
}
