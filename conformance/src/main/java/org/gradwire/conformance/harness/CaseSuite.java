package org.gradwire.conformance.harness;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestReporter;

/**
 * Base of all test classes of the kit: it provides the backend under test and names it in the
 * report.
 */
public abstract class CaseSuite {

    /** For subclasses. */
    protected CaseSuite() {}

    /** {@return the backend to test} */
    protected abstract BackendUnderTest backend();

    /** {@return the backend's name in the report} */
    public final String backendName() {
        return backend().name();
    }

    @BeforeEach
    void tellReport(TestReporter reporter) {
        reporter.publishEntry(ReportKeys.BACKEND, backend().name());
    }

    /** Prepare a world of workers over the backend. */
    protected ThreadWorld world(int size) {
        return ThreadWorld.of(backend(), size);
    }
}
