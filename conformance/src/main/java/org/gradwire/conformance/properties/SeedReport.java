package org.gradwire.conformance.properties;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ReportKeys;

/** Publishes the backend and the seed of a property for the report. Instantiated by jqwik. */
public final class SeedReport implements AroundPropertyHook {

    /** For jqwik. */
    public SeedReport() {}

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(
            PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyExecutionResult result = property.execute();
        result.seed().ifPresent(seed -> context.reporter().publishValue(ReportKeys.SEED, seed));
        if (context.testInstance() instanceof CaseSuite suite) {
            context.reporter().publishValue(ReportKeys.BACKEND, suite.backendName());
        }
        return result;
    }
}
