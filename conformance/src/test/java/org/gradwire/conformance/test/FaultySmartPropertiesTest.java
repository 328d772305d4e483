package org.gradwire.conformance.test;

import org.gradwire.conformance.SmartProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** Messages of the first pass that come twice change nothing. */
class FaultySmartPropertiesTest extends SmartProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "faulty",
                Map.of(
                        "gradwire.backend",
                        "faulty",
                        "gradwire.faulty.backend",
                        "inproc",
                        "gradwire.faulty.messages-to-fail",
                        "",
                        "gradwire.faulty.messages-to-delay",
                        "",
                        "gradwire.faulty.requests-to-repeat",
                        "DISCOVER_AUTOGRAD_REQ:0.5"));
    }
}
