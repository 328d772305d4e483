package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

/** As between hosts, though on one. */
class TensorpipeUdpConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return Backends.tensorpipeUdp();
    }

    /** {@link ProcessRulesTest} runs the rules about the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
