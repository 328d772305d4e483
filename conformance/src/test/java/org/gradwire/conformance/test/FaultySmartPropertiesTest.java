package org.gradwire.conformance.test;

import org.gradwire.conformance.SmartProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** Checks SMART passes when messages of the first phase arrive twice. */
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
