package org.gradwire.conformance.stores;

import org.gradwire.spi.StoreCapability;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

import java.util.Set;

/** A numbered rule of {@code docs/STORE-RULES.md}, with its check. */
public final class StoreRule {
    static final String SEED = "conformance.seed";

    private final String id;
    private final String text;
    private final Check check;
    private final Set<StoreCapability> needs;

    /** Checks a store; throws an {@link AssertionError} if it breaks the rule. */
    @FunctionalInterface
    interface Check {
        void run(StoreWorld world);
    }

    StoreRule(String id, String text, Check check, StoreCapability... needs) {
        this.id = id;
        this.text = text;
        this.check = check;
        this.needs = Set.of(needs);
    }

    /** {@return the id, such as {@code STORE-1}} */
    public String id() {
        return id;
    }

    /** {@return the requirement, in a sentence} */
    public String text() {
        return text;
    }

    /**
     * Verify the rule.
     *
     * @param seed of random keys and values
     * @throws AssertionError when the store breaks it; the message names the rule
     * @throws TestAbortedException when the store lacks an operation, as its provider declares
     */
    public void verify(StoreUnderTest store, long seed) {
        if (!store.provider().capabilities().containsAll(needs)) {
            Assumptions.abort("the store does not have all of " + needs);
        }
        try (var world = new StoreWorld(store, seed)) {
            check.run(world);
        } catch (AssertionError | RuntimeException e) {
            String said =
                    e instanceof AssertionError ? String.valueOf(e.getMessage()) : e.toString();
            throw new AssertionError(
                    "rule %s is broken by the store %s: %s%n  the rule: %s%n  again: -D%s=%d"
                            .formatted(id, store, said, text, SEED, seed),
                    e);
        }
    }

    @Override
    public String toString() {
        return id;
    }
}
