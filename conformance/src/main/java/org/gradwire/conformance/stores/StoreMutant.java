package org.gradwire.conformance.stores;

import org.gradwire.spi.Store;
import org.gradwire.spi.store.StoreContext;
import org.gradwire.spi.store.StoreProvider;

import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A store that is broken on purpose: a fault around a correct one. The rule must kill it; this
 * tests the kit.
 *
 * @param name such as {@code ADD_IS_NOT_ATOMIC}
 * @param breaks id of the rule that must kill it
 * @param wrap adds the fault to a provider
 */
public record StoreMutant(String name, String breaks, UnaryOperator<StoreProvider> wrap) {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Create a mutant that wraps each client. */
    static StoreMutant of(String name, String breaks, UnaryOperator<Store> wrap) {
        return new StoreMutant(
                name,
                breaks,
                correct ->
                        new Wrapped(correct) {
                            @Override
                            public Store open(StoreContext context) {
                                return wrap.apply(correct.open(context));
                            }
                        });
    }

    /** {@return the mutant of a store, with less patience, since most faults are waits} */
    public StoreUnderTest of(StoreUnderTest correct) {
        return new StoreUnderTest(
                wrap.apply(correct.provider()), correct.addresses(), correct.settings(), PATIENCE);
    }

    /** A provider that delegates to a correct one. */
    abstract static class Wrapped implements StoreProvider {
        private final StoreProvider correct;

        Wrapped(StoreProvider correct) {
            this.correct = correct;
        }

        @Override
        public Set<String> schemes() {
            return correct.schemes();
        }

        @Override
        public String form() {
            return correct.form();
        }

        @Override
        public boolean isReachable(String address) {
            return correct.isReachable(address);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
