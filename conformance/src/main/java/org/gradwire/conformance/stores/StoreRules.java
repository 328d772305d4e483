package org.gradwire.conformance.stores;

import java.util.List;
import java.util.stream.Stream;

/** All rules of stores, in the order of {@code docs/STORE-RULES.md}. */
public final class StoreRules {
    public static final List<StoreRule> ALL =
            Stream.of(ValueRules.ALL, ChangeRules.ALL, LeaseRules.ALL, LimitRules.ALL)
                    .flatMap(List::stream)
                    .toList();

    private StoreRules() {}
}
