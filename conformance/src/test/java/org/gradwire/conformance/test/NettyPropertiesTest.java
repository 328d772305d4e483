package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class NettyPropertiesTest extends BackendProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("netty", Map.of("gradwire.backend", "netty"));
    }
}
