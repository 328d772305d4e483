package org.gradwire.conformance.test;

import org.gradwire.conformance.NetworkFaults;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.time.Duration;
import java.util.Map;

/** Tests tensorpipe with defaults: UDP between hosts, shared memory on one. */
class TensorpipeNetworkFaultsTest extends NetworkFaults {
    @Override
    protected BackendUnderTest backend() {
        return withLiveness(Duration.ofSeconds(15));
    }

    @Override
    protected BackendUnderTest impatientBackend() {
        return withLiveness(Duration.ofSeconds(2));
    }

    private static BackendUnderTest withLiveness(Duration liveness) {
        return BackendUnderTest.of(
                        "tensorpipe",
                        Map.of(
                                "gradwire.backend",
                                "tensorpipe",
                                "gradwire.tensorpipe.liveness",
                                liveness.toString()))
                .withTimes(liveness, liveness.multipliedBy(2));
    }
}
