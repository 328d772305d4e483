package com.example.socket.test;

import org.gradwire.conformance.BackendProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

class SocketPropertiesTest extends BackendProperties {
    @Override
    protected BackendUnderTest backend() {
        return SocketBackend.declared();
    }
}
