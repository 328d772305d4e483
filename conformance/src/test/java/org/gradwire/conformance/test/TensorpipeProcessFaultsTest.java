package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessFaults;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.time.Duration;
import java.util.Map;

/**
 * Process faults of tensorpipe; on one host, a running process may be silent for six times the
 * liveness time.
 */
class TensorpipeProcessFaultsTest extends ProcessFaults {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                        "tensorpipe",
                        Map.of(
                                "gradwire.backend",
                                "tensorpipe",
                                "gradwire.tensorpipe.liveness",
                                "1s"))
                .withTimes(Duration.ofSeconds(6), Duration.ofSeconds(10));
    }
}
