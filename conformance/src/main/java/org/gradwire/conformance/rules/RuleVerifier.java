package org.gradwire.conformance.rules;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.BackendProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

import java.util.function.Supplier;

/**
 * Verifies rules. When a check fails only because plain requests are lost or never time out, the
 * error blames the rule about those, not the rule that was checked.
 */
public final class RuleVerifier {
    private RuleVerifier() {}

    /**
     * Verify a rule as the kit does for the author of a backend: a broken recommendation is a
     * warning.
     *
     * @throws AssertionError when the backend breaks a rule that it MUST keep
     * @throws RecommendationException when the backend breaks a rule that it SHOULD keep
     * @throws TestAbortedException when the rule does not apply to the backend
     */
    public static void test(Rule rule, BackendProvider provider, BackendUnderTest backend) {
        try {
            verify(rule, provider, backend);
        } catch (AssertionError e) {
            if (rule.isRecommendation()) {
                throw new RecommendationException(e);
            }
            throw e;
        }
    }

    /**
     * Verify a rule, whether it is a recommendation or not.
     *
     * @throws AssertionError when the backend breaks it; the message names the rule
     * @throws TestAbortedException when the rule does not apply to the backend; the message says
     *     why
     */
    public static void verify(Rule rule, BackendProvider provider, BackendUnderTest backend) {
        rule.needs().missing(backend).ifPresent(reason -> Assumptions.abort(reason));
        try {
            rule.check().run(provider, backend);
        } catch (TestAbortedException e) {
            throw e;
        } catch (UnansweredError e) {
            throw diagnosed(
                    rule,
                    SendRules.EVERY_REQUEST_ENDS,
                    e,
                    backend,
                    () -> Volley.firstLost(provider, backend));
        } catch (OverdueError e) {
            throw diagnosed(
                    rule,
                    DeadlineRules.DEADLINES_END,
                    e,
                    backend,
                    () -> DeadlineRules.firstOverdue(provider, backend));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(broken(rule, backend, e), e);
        }
    }

    /**
     * Blame another rule if the backend breaks that one.
     *
     * @param control checks the other rule with plain requests; returns its finding, or null
     */
    private static AssertionError diagnosed(
            Rule rule,
            String other,
            AssertionError finding,
            BackendUnderTest backend,
            Supplier<@Nullable String> control) {
        String plain = rule.id().equals(other) ? null : control.get();
        if (plain == null) {
            return new AssertionError(broken(rule, backend, finding), finding);
        }
        var blamed =
                new AssertionError(
                        "%s; the same with plain requests from one thread: %s"
                                .formatted(finding.getMessage(), plain));
        return new AssertionError(
                "rule %s cannot be checked, as %s"
                        .formatted(rule.id(), broken(Rules.of(other), backend, blamed)),
                finding);
    }

    private static String broken(Rule rule, BackendUnderTest backend, Throwable finding) {
        String said =
                finding instanceof AssertionError
                        ? String.valueOf(finding.getMessage())
                        : finding.toString();
        return "rule %s is broken by backend '%s': %s%n  the rule: %s%n  look for: %s%n  again: -D%s=%d"
                .formatted(
                        rule.id(),
                        backend.name(),
                        said,
                        rule.text(),
                        rule.hint(),
                        Seed.KEY,
                        Seed.get());
    }
}
