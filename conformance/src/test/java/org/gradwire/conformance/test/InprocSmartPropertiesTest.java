package org.gradwire.conformance.test;

import org.gradwire.conformance.SmartProperties;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class InprocSmartPropertiesTest extends SmartProperties {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("inproc", Map.of("gradwire.backend", "inproc"));
    }
}
