package org.gradwire.conformance.rules;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities;
import org.gradwire.spi.BackendProvider;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A numbered rule of {@code docs/BACKEND-RULES.md}, with its check.
 *
 * @param id such as {@code SEND-1}
 * @param text what a backend must do
 * @param hint likely causes of a failure
 * @param needs the backends that the rule applies to
 * @param check throws an {@link AssertionError} if the backend breaks the rule
 */
public record Rule(String id, String text, String hint, Needs needs, Check check) {

    /** Checks a backend. */
    @FunctionalInterface
    public interface Check {
        void run(BackendProvider provider, BackendUnderTest backend);
    }

    /** Returns why a rule does not apply to a backend; empty if it applies. */
    @FunctionalInterface
    public interface Needs {
        Optional<String> missing(BackendUnderTest backend);
    }

    /** Create a rule for every backend, checked on connected agents. */
    static Rule of(String id, String text, String hint, int agents, Consumer<AgentWorld> check) {
        return of(id, text, hint, in(agents, check));
    }

    /** Create a rule for every backend. */
    static Rule of(String id, String text, String hint, Check check) {
        return new Rule(id, text, hint, _ -> Optional.empty(), check);
    }

    /** Return a copy of the rule that applies only to backends with a capability. */
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

    /** {@return whether the rule is a recommendation (SHOULD)} */
    public boolean isRecommendation() {
        return text.startsWith("SHOULD ");
    }
}
