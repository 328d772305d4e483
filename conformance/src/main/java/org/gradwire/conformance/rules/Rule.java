package org.gradwire.conformance.rules;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities;
import org.gradwire.spi.BackendProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One numbered rule of {@code docs/BACKEND-RULES.md}, with the check that a backend keeps it.
 *
 * @param id such as {@code SEND-1}
 * @param text what a backend must do
 * @param hint where to look when the check fails
 * @param needs which backends the rule is for
 * @param check throws an {@link AssertionError} when the backend breaks the rule
 */
public record Rule(String id, String text, String hint, Needs needs, Check check) {

    /** A check. */
    @FunctionalInterface
    public interface Check {
        void run(BackendProvider provider, BackendUnderTest backend);
    }

    /** Says of a backend why a rule is not for it; empty when it is. */
    @FunctionalInterface
    public interface Needs {
        Optional<String> missing(BackendUnderTest backend);
    }

    /** A rule for every backend, checked on so many agents that are connected. */
    static Rule of(String id, String text, String hint, int agents, Consumer<AgentWorld> check) {
        return of(id, text, hint, in(agents, check));
    }

    /** A rule for every backend. */
    static Rule of(String id, String text, String hint, Check check) {
        return new Rule(id, text, hint, _ -> Optional.empty(), check);
    }

    /** Return the same rule, for backends that declare something. */
    Rule where(String capability, Predicate<Capabilities> declares) {
        Optional<String> reason =
                Optional.of("the backend does not declare %s (Capabilities)".formatted(capability));
        return new Rule(
                id,
                text,
                hint,
                backend ->
                        declares.test(backend.capabilities()) ? Optional.<String>empty() : reason,
                check);
    }

    private static Check in(int agents, Consumer<AgentWorld> check) {
        return (provider, backend) -> {
            try (AgentWorld world = AgentWorld.connected(provider, backend, agents)) {
                check.accept(world);
            }
        };
    }

    /** {@return whether a backend may break the rule and still be sound} */
    public boolean isRecommendation() {
        return text.startsWith("SHOULD ");
    }

    /**
     * Check a backend as the kit does for those who have written it: a recommendation that it does
     * not keep is a warning.
     *
     * @throws AssertionError when it breaks what it must keep
     * @throws RecommendationException when it breaks what it should keep
     * @throws TestAbortedException when the rule is not for this backend
     */
    public void test(BackendProvider provider, BackendUnderTest backend) {
        try {
            verify(provider, backend);
        } catch (AssertionError e) {
            if (isRecommendation()) {
                throw new RecommendationException(e);
            }
            throw e;
        }
    }

    /**
     * Check that a backend keeps the rule, be it a recommendation or not.
     *
     * @throws AssertionError when it does not; the message names the rule
     * @throws TestAbortedException when the rule is not for this backend; the message says why
     */
    public void verify(BackendProvider provider, BackendUnderTest backend) {
        needs.missing(backend).ifPresent(reason -> Assumptions.abort(reason));
        try {
            check.run(provider, backend);
        } catch (TestAbortedException e) {
            throw e;
        } catch (UnansweredError e) {
            throw diagnosed(
                    SendRules.EVERY_REQUEST_ENDS,
                    e,
                    backend,
                    () -> Volley.firstLost(provider, backend));
        } catch (OverdueError e) {
            throw diagnosed(
                    DeadlineRules.DEADLINES_END,
                    e,
                    backend,
                    () -> DeadlineRules.firstOverdue(provider, backend));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(broken(this, backend, e), e);
        }
    }

    /**
     * Blame another rule when that is what is broken.
     *
     * @param control finds out what plain requests break of that rule; null when nothing
     */
    private AssertionError diagnosed(
            String other,
            AssertionError finding,
            BackendUnderTest backend,
            Supplier<@Nullable String> control) {
        String plain = id.equals(other) ? null : control.get();
        if (plain == null) {
            return new AssertionError(broken(this, backend, finding), finding);
        }
        var blamed =
                new AssertionError(
                        "%s; so it is with plain requests of one thread: %s"
                                .formatted(finding.getMessage(), plain));
        return new AssertionError(
                "rule %s cannot be checked, as %s"
                        .formatted(id, broken(Rules.of(other), backend, blamed)),
                finding);
    }

    private static String broken(Rule rule, BackendUnderTest backend, Throwable finding) {
        String said =
                finding instanceof AssertionError
                        ? String.valueOf(finding.getMessage())
                        : finding.toString();
        return "rule %s is broken by backend '%s': %s%n  the rule: %s%n  look for: %s%n  again: -D%s=%d"
                .formatted(
                        rule.id,
                        backend.name(),
                        said,
                        rule.text,
                        rule.hint,
                        Rules.SEED_KEY,
                        Rules.seed());
    }
}
