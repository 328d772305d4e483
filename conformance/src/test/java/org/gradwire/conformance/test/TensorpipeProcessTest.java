package org.gradwire.conformance.test;

import org.gradwire.conformance.ProcessConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class TensorpipeProcessTest extends ProcessConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("tensorpipe", Map.of("gradwire.backend", "tensorpipe"));
    }
}
