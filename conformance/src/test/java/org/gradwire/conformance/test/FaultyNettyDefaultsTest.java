package org.gradwire.conformance.test;

import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class FaultyNettyDefaultsTest extends FaultyDefaultsTest {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "faulty-netty",
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "netty"));
    }
}
