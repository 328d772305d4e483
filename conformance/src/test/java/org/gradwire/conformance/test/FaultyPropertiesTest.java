package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class FaultyPropertiesTest extends BackendProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "faulty",
                Map.of(
                        "gradwire.backend",
                        "faulty",
                        "gradwire.faulty.backend",
                        "inproc",
                        "gradwire.faulty.num-fail-sends",
                        "1",
                        "gradwire.faulty.messages-to-delay",
                        ""));
    }
}
