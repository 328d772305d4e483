package org.gradwire.conformance.test;

import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class FaultyTensorpipeDefaultsTest extends FaultyDefaultsTest {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "faulty-tensorpipe",
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "tensorpipe",
                        "gradwire.tensorpipe.driver", "embedded"));
    }
}
