package org.gradwire.conformance.stores;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The rules of stores, as one JUnit 5 class. The author of a store extends it and names the store:
 *
 * {@snippet :
 * class MyStoreTest extends StoreConformance {
 *     @Override
 *     protected StoreUnderTest store() {
 *         return StoreUnderTest.of("mine", () -> "mine://host/" + UUID.randomUUID(), Map.of());
 *     }
 * }
 * }
 */
public abstract class StoreConformance {
    /** For subclasses. */
    protected StoreConformance() {}

    /** {@return the store to verify} */
    protected abstract StoreUnderTest store();

    /** {@return a test for each rule} */
    @TestFactory
    protected Stream<DynamicTest> rules() {
        StoreUnderTest store = store();
        long seed = Long.getLong(StoreRule.SEED, new SplittableRandom().nextLong());
        return StoreRules.ALL.stream()
                .map(rule ->
                        DynamicTest.dynamicTest(
                                "%s: %s".formatted(rule.id(), rule.text()),
                                () -> rule.verify(store, seed)));
    }
}
