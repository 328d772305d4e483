package org.gradwire.conformance.test;

import org.gradwire.conformance.NetworkFaults;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

/** Between hosts over UDP, as by default; on one host through shared memory. */
class TensorpipeNetworkFaultsTest extends NetworkFaults {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("tensorpipe", Map.of("gradwire.backend", "tensorpipe"));
    }

    @Override
    protected BackendUnderTest impatientBackend() {
        return backend().withSettings(Map.of("gradwire.tensorpipe.liveness", "2s"));
    }
}
