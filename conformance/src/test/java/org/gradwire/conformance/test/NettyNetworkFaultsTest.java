package org.gradwire.conformance.test;

import org.gradwire.conformance.NetworkFaults;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.time.Duration;
import java.util.Map;

/** Without encryption, since the network is under test. */
@EnabledIfSystemProperty(
        named = "conformance.long",
        matches = "true",
        disabledReason = "takes long; CONTRIBUTING says how to run it")
class NettyNetworkFaultsTest extends NetworkFaults {
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
                        "netty",
                        Map.of(
                                "gradwire.backend",
                                "netty",
                                "gradwire.netty.liveness",
                                liveness.toString(),
                                "gradwire.netty.plain",
                                "true"))
                .withTimes(liveness, liveness.multipliedBy(2));
    }
}
