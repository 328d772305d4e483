package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class NettyProcessTest extends ProcessConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("netty", Map.of("gradwire.backend", "netty"));
    }
}
