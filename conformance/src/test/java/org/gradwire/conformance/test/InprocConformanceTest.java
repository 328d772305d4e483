package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

import java.util.Map;

class InprocConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of("inproc", Map.of("gradwire.backend", "inproc"));
    }
}
