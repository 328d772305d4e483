package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class TensorpipePropertiesTest extends BackendProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "tensorpipe",
                Map.of("gradwire.backend", "tensorpipe", "gradwire.tensorpipe.driver", "embedded"));
    }
}
