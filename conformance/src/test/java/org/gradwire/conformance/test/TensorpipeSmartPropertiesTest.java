package org.gradwire.conformance.test;

import org.gradwire.conformance.SmartProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class TensorpipeSmartPropertiesTest extends SmartProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "tensorpipe",
                Map.of("gradwire.backend", "tensorpipe", "gradwire.tensorpipe.driver", "embedded"));
    }
}
