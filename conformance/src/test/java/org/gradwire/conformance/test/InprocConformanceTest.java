package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the kit. Several tests run at a time, since many wait for timeouts and retries. */
@Execution(ExecutionMode.CONCURRENT)
class InprocConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return Backends.inproc();
    }

    /** {@link ProcessRulesTest} runs the rules that measure the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
