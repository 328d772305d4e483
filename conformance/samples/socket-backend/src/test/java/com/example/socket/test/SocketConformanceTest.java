package com.example.socket.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class SocketConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("socket", Map.of("gradwire.backend", "socket"));
    }
}
