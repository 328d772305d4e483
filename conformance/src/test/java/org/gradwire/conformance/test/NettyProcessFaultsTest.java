package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessFaults;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.time.Duration;
import java.util.Map;

/** Kills, stops and strangles processes. */
class NettyProcessFaultsTest extends ProcessFaults {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                        "netty",
                        Map.of("gradwire.backend", "netty", "gradwire.netty.liveness", "1s"))
                .withTimes(Duration.ofSeconds(6), Duration.ofSeconds(10));
    }
}
