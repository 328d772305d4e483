package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessFaults;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.time.Duration;
import java.util.Map;

/** Kills and suspends processes. */
@EnabledIfSystemProperty(
        named = "conformance.long",
        matches = "true",
        disabledReason = "takes long; CONTRIBUTING says how to run it")
class NettyProcessFaultsTest extends ProcessFaults {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                        "netty",
                        Map.of("gradwire.backend", "netty", "gradwire.netty.liveness", "1s"))
                .withTimes(Duration.ofSeconds(6), Duration.ofSeconds(10));
    }
}
