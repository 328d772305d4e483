package org.gradwire.conformance;

import org.gradwire.conformance.cases.autograd.BackwardCases;
import org.gradwire.conformance.cases.autograd.BackwardErrorCases;
import org.gradwire.conformance.cases.autograd.BackwardFailureCases;
import org.gradwire.conformance.cases.autograd.BackwardMetricsCases;
import org.gradwire.conformance.cases.autograd.BackwardProgramCases;
import org.gradwire.conformance.cases.autograd.BackwardThreadCases;
import org.gradwire.conformance.cases.autograd.ContextCases;
import org.gradwire.conformance.cases.autograd.DeviceCases;
import org.gradwire.conformance.cases.autograd.FunctionCases;
import org.gradwire.conformance.cases.autograd.GraphCases;
import org.gradwire.conformance.cases.autograd.ReferenceBackwardCases;
import org.gradwire.conformance.cases.autograd.SmartCases;
import org.gradwire.conformance.cases.autograd.SparseBackwardCases;
import org.gradwire.conformance.cases.autograd.SparseGraphCases;
import org.gradwire.conformance.cases.modules.ModuleCases;
import org.gradwire.conformance.cases.modules.RemoteModuleCases;
import org.gradwire.conformance.cases.modules.RemoteModuleDeviceCases;
import org.gradwire.conformance.cases.rpc.AllGatherCases;
import org.gradwire.conformance.cases.rpc.AsyncCases;
import org.gradwire.conformance.cases.rpc.BackPressureCases;
import org.gradwire.conformance.cases.rpc.BarrierCases;
import org.gradwire.conformance.cases.rpc.CallCases;
import org.gradwire.conformance.cases.rpc.ControlCases;
import org.gradwire.conformance.cases.rpc.DynamicGroupCases;
import org.gradwire.conformance.cases.rpc.FutureCases;
import org.gradwire.conformance.cases.rpc.LifecycleCases;
import org.gradwire.conformance.cases.rpc.ProfilerCases;
import org.gradwire.conformance.cases.rpc.ReferenceCases;
import org.gradwire.conformance.cases.rpc.ReferenceSurfaceCases;
import org.gradwire.conformance.cases.rpc.RemoteCases;
import org.gradwire.conformance.cases.rpc.RetryCases;
import org.gradwire.conformance.cases.rpc.RetryFailureCases;
import org.gradwire.conformance.cases.rpc.ScriptAndPlainCases;
import org.gradwire.conformance.cases.rpc.ScriptAutogradCases;
import org.gradwire.conformance.cases.rpc.ScriptCallCases;
import org.gradwire.conformance.cases.rpc.UdfCodecCases;
import org.gradwire.conformance.cases.rpc.WaitAllCases;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.RuleVerifier;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.BackendProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The rules and cases of the kit, as one JUnit 5 class. A vendor extends it and names the backend;
 * the kit brings the engines of JUnit and jqwik.
 *
 * {@snippet :
 * class MyBackendConformanceTest extends BackendConformance {
 *     @Override
 *     protected BackendUnderTest backend() {
 *         return BackendUnderTest.of("mine", Map.of("gradwire.backend", "mine"));
 *     }
 * }
 * }
 *
 * <p>A broken recommendation (SHOULD) does not fail: JUnit reports an aborted test, and the report
 * and the console show a warning.
 *
 * <p>Tags select tests: {@code rules} the rules; {@code quick} cases that cover much in a few
 * seconds; {@code processes} and {@code faults} all of {@link ProcessConformance} and {@link
 * ProcessFaults}.
 */
public abstract class BackendConformance extends CaseSuite {

    /** For subclasses. */
    protected BackendConformance() {}

    /**
     * {@return whether no other test runs in this JVM at the same time} If JUnit runs tests in
     * parallel, return false and run {@link Rules#ALONE} in an isolated class, since those rules
     * measure the whole process.
     */
    protected boolean runsAlone() {
        return true;
    }

    @TestFactory
    @Tag("rules")
    Stream<DynamicTest> rules() {
        return tests(Rules.ALL.stream().filter(rule -> runsAlone() || !Rules.ALONE.contains(rule)));
    }

    private Stream<DynamicTest> tests(Stream<Rule> rules) {
        BackendProvider provider = provider();
        return rules.map(rule ->
                DynamicTest.dynamicTest(
                        title(rule), () -> RuleVerifier.test(rule, provider, backend())));
    }

    private static String title(Rule rule) {
        return "rule " + rule.id() + ": " + rule.text();
    }

    private BackendProvider provider() {
        return ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(backend().providerName()))
                .findFirst()
                .orElseThrow(() ->
                        new AssertionError(
                                "no backend '%s' is installed; put its module on the module path of the tests"
                                        .formatted(backend().providerName())));
    }

    @Nested
    class Async extends AsyncCases {}

    @Nested
    class BackPressure extends BackPressureCases {}

    @Nested
    class ScriptAndPlain extends ScriptAndPlainCases {}

    @Nested
    class Modules extends ModuleCases {}

    @Nested
    class RemoteModules extends RemoteModuleCases {}

    @Nested
    @Tag("devices")
    class RemoteModuleDevices extends RemoteModuleDeviceCases {}

    @Nested
    class UdfCodecs extends UdfCodecCases {}

    @Nested
    class Profiling extends ProfilerCases {}

    @Nested
    class Reference extends ReferenceCases {}

    @Nested
    class ScriptCall extends ScriptCallCases {}

    @Nested
    class Future extends FutureCases {}

    @Nested
    class Call extends CallCases {}

    @Nested
    class Remote extends RemoteCases {}

    @Nested
    class WaitAll extends WaitAllCases {}

    @Nested
    class AllGather extends AllGatherCases {}

    @Nested
    class DynamicGroup extends DynamicGroupCases {}

    @Nested
    class ReferenceSurface extends ReferenceSurfaceCases {}

    @Nested
    class Control extends ControlCases {}

    @Nested
    class Barrier extends BarrierCases {}

    @Nested
    class Retry extends RetryCases {}

    @Nested
    class RetryFailure extends RetryFailureCases {}

    @Nested
    class Lifecycle extends LifecycleCases {}

    @Nested
    class ScriptAutograd extends ScriptAutogradCases {}

    @Nested
    class AutogradContexts extends ContextCases {}

    @Nested
    class AutogradGraphs extends GraphCases {}

    @Nested
    class Backward extends BackwardCases {}

    @Nested
    class BackwardPrograms extends BackwardProgramCases {}

    @Nested
    class ReferenceBackward extends ReferenceBackwardCases {}

    @Nested
    class FunctionGradients extends FunctionCases {}

    @Nested
    class BackwardErrors extends BackwardErrorCases {}

    @Nested
    class BackwardFailures extends BackwardFailureCases {}

    @Nested
    class BackwardMetrics extends BackwardMetricsCases {}

    @Nested
    class BackwardThreads extends BackwardThreadCases {}

    @Nested
    class SmartBackward extends SmartCases {}

    @Nested
    class SparseGraphs extends SparseGraphCases {}

    @Nested
    @Tag("devices")
    class Devices extends DeviceCases {}

    @Nested
    class SparseBackward extends SparseBackwardCases {}
}
