package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** Tensorpipe over UDP, as between hosts, but on one. */
class TensorpipeUdpProcessTest extends ProcessConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "tensorpipe-udp",
                Map.of("gradwire.backend", "tensorpipe", "gradwire.tensorpipe.transport", "udp"));
    }
}
