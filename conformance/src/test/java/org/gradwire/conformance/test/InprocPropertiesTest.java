package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class InprocPropertiesTest extends BackendProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("inproc", Map.of("gradwire.backend", "inproc"));
    }
}
