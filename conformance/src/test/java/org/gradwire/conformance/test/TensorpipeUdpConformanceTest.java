package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** As between hosts, though on one. */
class TensorpipeUdpConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "tensorpipe-udp",
                Map.of(
                        "gradwire.backend", "tensorpipe",
                        "gradwire.tensorpipe.driver", "embedded",
                        "gradwire.tensorpipe.transport", "udp"));
    }
}
