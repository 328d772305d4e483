package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

/** Tensorpipe over UDP, as between hosts, but on one. */
class TensorpipeUdpConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return Backends.tensorpipeUdp();
    }

    /** {@link ProcessRulesTest} runs the rules that measure the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
