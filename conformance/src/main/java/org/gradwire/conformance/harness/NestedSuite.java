package org.gradwire.conformance.harness;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A suite that tests the backend of the suite it is nested in. A suite that is not nested must
 * override {@link #backend()}.
 */
public abstract class NestedSuite extends CaseSuite {
    private @Nullable BackendUnderTest inherited;

    /** Runs before all methods of a test, including {@code @BeforeEach} methods. */
    @RegisterExtension
    private final BeforeEachCallback inheritance =
            context ->
                    context.getRequiredTestInstances().getEnclosingInstances().stream()
                            .filter(CaseSuite.class::isInstance)
                            .map(CaseSuite.class::cast)
                            .forEach(enclosing -> inherited = enclosing.backend());

    /** For subclasses. */
    protected NestedSuite() {}

    @Override
    protected BackendUnderTest backend() {
        if (inherited == null) {
            throw new IllegalStateException(
                    "%s has no backend: nest it in a class such as BackendConformance, or override backend()"
                            .formatted(getClass().getName()));
        }
        return inherited;
    }
}
