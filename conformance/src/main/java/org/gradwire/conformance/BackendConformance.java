package org.gradwire.conformance;

import org.gradwire.conformance.cases.autograd.BackwardCases;
import org.gradwire.conformance.cases.autograd.BackwardErrorCases;
import org.gradwire.conformance.cases.autograd.BackwardFailureCases;
import org.gradwire.conformance.cases.autograd.BackwardFiguresCases;
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
import org.gradwire.conformance.cases.rpc.AllGatherCases;
import org.gradwire.conformance.cases.rpc.AsyncCases;
import org.gradwire.conformance.cases.rpc.BackPressureCases;
import org.gradwire.conformance.cases.rpc.BarrierCases;
import org.gradwire.conformance.cases.rpc.CallCases;
import org.gradwire.conformance.cases.rpc.ControlCases;
import org.gradwire.conformance.cases.rpc.DynamicGroupCases;
import org.gradwire.conformance.cases.rpc.FutureCases;
import org.gradwire.conformance.cases.rpc.LifecycleCases;
import org.gradwire.conformance.cases.rpc.ModuleCases;
import org.gradwire.conformance.cases.rpc.ProfilerCases;
import org.gradwire.conformance.cases.rpc.ReferenceCases;
import org.gradwire.conformance.cases.rpc.ReferenceSurfaceCases;
import org.gradwire.conformance.cases.rpc.RemoteCases;
import org.gradwire.conformance.cases.rpc.RemoteModuleCases;
import org.gradwire.conformance.cases.rpc.RemoteModuleDeviceCases;
import org.gradwire.conformance.cases.rpc.RetryCases;
import org.gradwire.conformance.cases.rpc.RetryFailureCases;
import org.gradwire.conformance.cases.rpc.ScriptAndPlainCases;
import org.gradwire.conformance.cases.rpc.ScriptAutogradCases;
import org.gradwire.conformance.cases.rpc.ScriptCallCases;
import org.gradwire.conformance.cases.rpc.UdfCodecCases;
import org.gradwire.conformance.cases.rpc.WaitAllCases;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.BackendProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Everything the kit has to say about a backend. A vendor extends this class, says which backend it
 * is, and runs it with JUnit 5, whose engine the kit brings along, and jqwik's for the properties.
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
 * <p>A rule that a backend SHOULD keep does not fail when it is broken: JUnit calls its test
 * aborted, and the report and the console have a warning.
 *
 * <p>JUnit's tags choose a part of it: {@code rules}, the rules alone; {@code quick}, cases that
 * say much of a backend in a few seconds; {@code processes} and {@code faults}, all of {@link
 * ProcessConformance} and {@link ProcessFaults}.
 */
public abstract class BackendConformance extends CaseSuite {

    /** For subclasses. */
    protected BackendConformance() {}

    /**
     * {@return whether no other test runs in this JVM beside this one} Where JUnit runs tests in
     * parallel, return false, and run {@link Rules#ALONE} in an isolated class: they look at what
     * the whole process holds.
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
        return rules.map(
                rule -> DynamicTest.dynamicTest(title(rule), () -> rule.test(provider, backend())));
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
                                "no backend '%s' is installed; is its module on the module path of the tests?"
                                        .formatted(backend().providerName())));
    }

    @Nested
    class Async extends AsyncCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class BackPressure extends BackPressureCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class ScriptAndPlain extends ScriptAndPlainCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Modules extends ModuleCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class RemoteModules extends RemoteModuleCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class RemoteModuleDevices extends RemoteModuleDeviceCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class UdfCodecs extends UdfCodecCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Profiling extends ProfilerCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Reference extends ReferenceCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class ScriptCall extends ScriptCallCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Future extends FutureCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Call extends CallCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Remote extends RemoteCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class WaitAll extends WaitAllCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class AllGather extends AllGatherCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class DynamicGroup extends DynamicGroupCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class ReferenceSurface extends ReferenceSurfaceCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Control extends ControlCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Barrier extends BarrierCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Retry extends RetryCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class RetryFailure extends RetryFailureCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Lifecycle extends LifecycleCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class ScriptAutograd extends ScriptAutogradCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class AutogradContexts extends ContextCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class AutogradGraphs extends GraphCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Backward extends BackwardCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class BackwardPrograms extends BackwardProgramCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class ReferenceBackward extends ReferenceBackwardCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class FunctionGradients extends FunctionCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class BackwardErrors extends BackwardErrorCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class BackwardFailures extends BackwardFailureCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class BackwardFigures extends BackwardFiguresCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class BackwardThreads extends BackwardThreadCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class SmartBackward extends SmartCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class SparseGraphs extends SparseGraphCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class Devices extends DeviceCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }

    @Nested
    class SparseBackward extends SparseBackwardCases {
        @Override
        protected BackendUnderTest backend() {
            return BackendConformance.this.backend();
        }
    }
}
