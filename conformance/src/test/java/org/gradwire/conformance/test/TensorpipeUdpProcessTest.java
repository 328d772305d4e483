package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessConformance;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.util.Map;

/**
 * Tensorpipe over UDP, as between hosts, but on one. In each run, processes on two hosts do that in
 * {@link TensorpipeNetworkFaultsTest}.
 */
@EnabledIfSystemProperty(
        named = "conformance.long",
        matches = "true",
        disabledReason = "runs with -Dconformance.long=true")
class TensorpipeUdpProcessTest extends ProcessConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "tensorpipe-udp",
                Map.of("gradwire.backend", "tensorpipe", "gradwire.tensorpipe.transport", "udp"));
    }
}
