package com.example.socket.test;

import org.gradwire.conformance.BackendProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class SocketPropertiesTest extends BackendProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("socket", Map.of("gradwire.backend", "socket"));
    }
}
