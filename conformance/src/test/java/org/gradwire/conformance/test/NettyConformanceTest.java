package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;

class NettyConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return Backends.netty();
    }

    /** {@link ProcessRulesTest} runs the rules about the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
