package com.example.socket.test;

import org.gradwire.conformance.ProcessFaults;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** With a shorter liveness, so that nobody has to wait long for a process that was stopped. */
class SocketFaultsTest extends ProcessFaults {
    @Override
    protected BackendUnderTest backend() {
        return SocketBackend.declared().withSettings(Map.of("gradwire.socket.liveness", "2s"));
    }
}
