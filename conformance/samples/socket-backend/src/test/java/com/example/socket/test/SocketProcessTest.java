package com.example.socket.test;

import org.gradwire.conformance.ProcessConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

class SocketProcessTest extends ProcessConformance {
    @Override
    protected BackendUnderTest backend() {
        return SocketBackend.declared();
    }
}
