package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessFaults;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.time.Duration;
import java.util.Map;

/** On one host a process that runs may be silent for six times the liveness. */
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
