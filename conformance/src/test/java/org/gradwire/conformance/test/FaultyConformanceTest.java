package org.gradwire.conformance.test;

import org.gradwire.conformance.BackendConformance;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.util.Map;

/**
 * Runs the kit over the faulty backend without delays, which keeps all rules. It still fails
 * control messages, since the protocols must tolerate that. Several tests run at a time, since they
 * mostly wait for retries.
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

    /** {@link ProcessRulesTest} runs the rules that measure the process. */
    @Override
    protected boolean runsAlone() {
        return false;
    }
}
