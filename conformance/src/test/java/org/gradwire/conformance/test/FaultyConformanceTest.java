package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/**
 * The faulty backend without delays keeps all rules; its failures of control messages stay, since
 * the protocols must bear them.
 */
class FaultyConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "faulty",
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "inproc",
                        "gradwire.faulty.messages-to-delay", ""));
    }
}
