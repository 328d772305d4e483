package com.example.socket.test;

import org.gradwire.conformance.ProcessConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class SocketProcessTest extends ProcessConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("socket", Map.of("gradwire.backend", "socket"));
    }
}
