package com.example.socket.test;

import org.gradwire.conformance.SmartProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

class SocketSmartPropertiesTest extends SmartProperties {
    @Override
    protected BackendUnderTest backend() {
        return SocketBackend.declared();
    }
}
