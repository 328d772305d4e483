package com.example.socket.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

class SocketConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return SocketBackend.declared();
    }
}
