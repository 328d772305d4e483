package org.gradwire.conformance.test;

import org.gradwire.conformance.SmartProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class NettySmartPropertiesTest extends SmartProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("netty", Map.of("gradwire.backend", "netty"));
    }
}
