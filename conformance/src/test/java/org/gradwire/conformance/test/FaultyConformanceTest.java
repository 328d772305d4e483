package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.util.Map;

/**
 * The faulty backend without delays keeps all rules; its failures of control messages stay, since
 * the protocols must bear them. Its tests wait for repeated messages most of the time, so several
 * run at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class FaultyConformanceTest extends BackendConformance {
    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "faulty",
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "inproc",
                        "gradwire.faulty.messages-to-delay", ""));
    }

    /** {@link ProcessRulesTest} runs the rules about the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
