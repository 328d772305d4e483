package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

class InprocConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return Backends.inproc();
    }

    /** {@link ProcessRulesTest} runs the rules about the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
