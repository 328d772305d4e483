package org.gradwire.conformance.harness;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestReporter;

/**
 * What the groups of tests of the kit have in common: they know which backend they are run over.
 */
public abstract class CaseSuite {

    /** For subclasses. */
    protected CaseSuite() {}

    /** {@return the backend to test} */
    protected abstract BackendUnderTest backend();

    /** {@return the name under which the report lists the backend} */
    public final String backendName() {
        return backend().name();
    }

    @BeforeEach
    void tellReport(TestReporter reporter) {
        reporter.publishEntry(ReportKeys.BACKEND, backend().name());
    }

    /** Prepare a world over the backend. */
    protected World world(int size) {
        return World.of(backend(), size);
    }
}
