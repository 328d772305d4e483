package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

class TensorpipeConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return Backends.tensorpipe();
    }

    /** {@link ProcessRulesTest} runs the rules that measure the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
