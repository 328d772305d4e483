package org.gradwire.conformance.test;

import org.gradwire.conformance.stores.StoreConformance;
import org.gradwire.conformance.stores.StoreUnderTest;

import java.util.Map;
import java.util.UUID;

/** The rules of stores over {@code inproc}. */
class InprocStoreTest extends StoreConformance {
    @Override
    protected StoreUnderTest store() {
        return StoreUnderTest.of("inproc", () -> "inproc://" + UUID.randomUUID(), Map.of());
    }
}
