package com.example.socket.test;

import org.gradwire.conformance.ProcessFaults;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** Uses a shorter liveness time, so that stopped processes are detected soon. */
class SocketFaultsTest extends ProcessFaults {
    @Override
    protected BackendUnderTest backend() {
        return SocketBackend.declared().withSettings(Map.of("gradwire.socket.liveness", "2s"));
    }
}
