package org.gradwire.conformance.test;

import org.gradwire.conformance.NetworkSecrecy;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** Tests the default of tensorpipe in a group with a token: datagrams and TCP are sealed. */
class TensorpipeNetworkSecrecyTest extends NetworkSecrecy {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("tensorpipe", Map.of("gradwire.backend", "tensorpipe"));
    }

    @Override
    protected BackendUnderTest plainBackend() {
        return backend().withSettings(Map.of("gradwire.encryption", "none"));
    }
}
