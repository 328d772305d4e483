package org.gradwire.conformance;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.harness.SpecProperty;
import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.conformance.properties.ContextProgram;
import org.gradwire.conformance.properties.ExpressionProgram;
import org.gradwire.conformance.properties.GradientProgram;
import org.gradwire.conformance.properties.GradientProgram.Operator;
import org.gradwire.conformance.properties.GradientProgram.Step;
import org.gradwire.conformance.properties.GradientProgram.Way;
import org.gradwire.conformance.properties.Invariants;
import org.gradwire.conformance.properties.LeavingProgram;
import org.gradwire.conformance.properties.ReferenceProgram;
import org.gradwire.conformance.properties.RetryProgram;
import org.gradwire.conformance.properties.SeedReport;
import org.gradwire.conformance.properties.TimeoutProgram;
import org.gradwire.conformance.properties.ValuePlan;
import org.gradwire.tensor.DType;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * Checks the invariants of the specification on random programs that a group of workers runs.
 *
 * <p>A vendor extends this class in addition to {@link BackendConformance} and runs it with jqwik.
 * Set {@code jqwik.reporting.usejunitplatform = true} in {@code junit-platform.properties}, so that
 * the report gets backends and seeds. jqwik repeats a failed property with its last seed; to replay
 * any run, set the seed from the report ({@link ReportKeys#SEED}) in the property's annotation.
 * Only annotations expose jqwik.
 */
@AddLifecycleHook(SeedReport.class)
public abstract class BackendProperties extends CaseSuite {
    private static final int WORKERS = 3;

    /**
     * Calls that a program may block at a time. The backend "faulty" runs eight calls at a time,
     * seven of them for one peer, and the call that releases them must run as well.
     */
    private static final int BLOCKED_CALLS = 6;

    private static final String LOSSES =
            "UDF_CALL:0.25,SCRIPT_CALL:0.25,UDF_REMOTE_CALL:0.25,CANCEL_REQ:0.1,CALLS_ENDED_REQ:0.1";
    private @Nullable WorkerGroup group;
    private @Nullable WorkerGroup lossy;
    private @Nullable WorkerGroup wide;

    /** For subclasses. */
    protected BackendProperties() {}

    @BeforeProperty
    void start() {
        group = WorkerGroup.start(backend(), WORKERS);
    }

    @AfterProperty
    void end() {
        group().close();
        if (lossy != null) {
            lossy.close();
            lossy = null;
        }
        if (wide != null) {
            wide.close();
            wide = null;
        }
    }

    /** {@return a group whose backend loses and duplicates calls} */
    private WorkerGroup lossy() {
        WorkerGroup known = lossy;
        if (known == null) {
            Map<String, String> faults =
                    Map.of(
                            "gradwire.faulty.requests-to-lose", LOSSES,
                            "gradwire.faulty.replies-to-lose", LOSSES,
                            "gradwire.faulty.requests-to-repeat", LOSSES,
                            "gradwire.rpc-timeout", "1s");
            known = WorkerGroup.start(backend().withFaults(faults), WORKERS);
            lossy = known;
        }
        return known;
    }

    /**
     * {@return a larger group without faults; other properties cover faults, whose repair takes a
     * second each}
     */
    private WorkerGroup wide() {
        WorkerGroup known = wide;
        if (known == null) {
            known = WorkerGroup.start(withoutFailures(), ExpressionArbitraries.WORKERS);
            wide = known;
        }
        return known;
    }

    private BackendUnderTest withoutFailures() {
        boolean faulty = backend().providerName().equals("faulty");
        return faulty ? backend().withFaults(Map.of()) : backend();
    }

    private WorkerGroup group() {
        if (group == null) {
            throw new IllegalStateException("the group was not started");
        }
        return group;
    }

    /**
     * A program's gradients do not depend on where its steps run, and {@code grad} does not change.
     */
    @SpecProperty("I-1")
    @Property(tries = 60)
    void gradientsDoNotDependOnPlacement(@ForAll("gradientPrograms") GradientProgram program) {
        Invariants.gradientsEqualLocalOnes(group(), program);
    }

    /**
     * Nested calls, references and sparse gradients change no gradient and leave nothing behind.
     */
    @SpecProperty("I-1")
    @Property(tries = 30)
    void nestedProgramsLeaveTheirGradientsOnly(
            @ForAll("expressionPrograms") List<ExpressionProgram> programs) {
        Invariants.expressionsLeaveTheirGradientsOnly(wide(), programs);
    }

    /**
     * If sends fail, a program ends with its result or a typed error, and leaves nothing behind.
     */
    @SpecProperty("I-2")
    @Property(tries = 3)
    void failuresEndProgramsWithoutATrace(
            @ForAll("expressionPrograms") List<ExpressionProgram> programs,
            @ForAll("failures") Map<String, String> failures) {
        faultsEndPrograms(programs, failures);
    }

    /** The same if messages are lost, other than those that transfer references. */
    @SpecProperty("I-2")
    @Property(tries = 15)
    void lossesEndProgramsWithoutATrace(
            @ForAll("expressionPrograms") List<ExpressionProgram> programs,
            @ForAll("losses") Map<String, String> losses) {
        faultsEndPrograms(
                programs.stream().map(ExpressionProgram::withValuesOnly).toList(), losses);
    }

    private void faultsEndPrograms(List<ExpressionProgram> programs, Map<String, String> faults) {
        try (WorkerGroup faulty =
                WorkerGroup.start(backend().withFaults(faults), ExpressionArbitraries.WORKERS)) {
            Invariants.faultsEndInTypedErrors(faulty, programs);
        }
    }

    /** If a worker leaves at any time, programs end with their result or a typed error. */
    @SpecProperty("I-6")
    @Property(tries = 8)
    void leavingAtAnyMomentEndsPrograms(@ForAll("leavings") LeavingProgram program) {
        Invariants.leavingEndsInTypedErrors(
                WorkerGroup.start(withoutFailures(), ExpressionArbitraries.WORKERS), program);
    }

    /** A closed context leaves nothing on any worker, even if its body threw. */
    @SpecProperty("I-2")
    @Property(tries = 6)
    void contextsLeaveNothingBehind(@ForAll("contextPrograms") List<ContextProgram> programs) {
        Invariants.contextsAreGone(group(), programs);
    }

    /** A value exists while a reference to it is open; nothing remains once all are closed. */
    @SpecProperty("I-3")
    @Property(tries = 6)
    void valuesLiveAsLongAsTheirReferences(@ForAll("referencePrograms") ReferenceProgram program) {
        Invariants.valuesLiveAsLongAsTheirReferences(group(), program);
    }

    /** A timeout ends its call; a call without a timeout does not end; late replies are dropped. */
    @SpecProperty("I-7")
    @Property(tries = 25)
    void timeoutsEndTheirCallsOnly(@ForAll("timeoutPrograms") TimeoutProgram program) {
        Invariants.timeoutsEndTheirCallsOnly(group(), program);
    }

    /** A retried call runs once, whatever messages are lost. */
    @SpecProperty("RT-1")
    @Property(tries = 12)
    void retriedCallsRunOnce(@ForAll("retryPrograms") RetryProgram program) throws Exception {
        Invariants.retriedCallsRunOnce(lossy(), program);
    }

    /** Values survive a round trip unchanged. */
    @SpecProperty("I-9")
    @Property(tries = 200)
    void valuesSurviveTheWire(@ForAll("values") ValuePlan plan) {
        Invariants.valueSurvivesTheWire(group(), plan);
    }

    @Provide
    Arbitrary<GradientProgram> gradientPrograms() {
        Arbitrary<Step> step =
                Combinators.combine(
                                Arbitraries.of(Operator.class),
                                Arbitraries.integers().between(0, 20),
                                Arbitraries.integers().between(0, 20),
                                Arbitraries.integers().between(0, WORKERS - 1),
                                Arbitraries.of(Way.class))
                        .as(Step::new);
        return Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.of(true, false).list().ofMinSize(1).ofMaxSize(3),
                        step.list().ofMinSize(1).ofMaxSize(7))
                .as(GradientProgram::new)
                .filter(program -> program.inputs().contains(true));
    }

    @Provide
    Arbitrary<List<ExpressionProgram>> expressionPrograms() {
        return ExpressionArbitraries.programs();
    }

    @Provide
    Arbitrary<Map<String, String>> failures() {
        return ExpressionArbitraries.failures();
    }

    @Provide
    Arbitrary<Map<String, String>> losses() {
        return ExpressionArbitraries.losses();
    }

    @Provide
    Arbitrary<LeavingProgram> leavings() {
        return ExpressionArbitraries.leavings();
    }

    @Provide
    Arbitrary<List<ContextProgram>> contextPrograms() {
        return Combinators.combine(
                        Arbitraries.of(ContextProgram.Call.class).list().ofMaxSize(4),
                        Arbitraries.integers().between(0, WORKERS - 1),
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false))
                .as(ContextProgram::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Provide
    Arbitrary<ReferenceProgram> referencePrograms() {
        Arbitrary<ReferenceProgram.Action> action =
                Combinators.combine(
                                Arbitraries.of(ReferenceProgram.Kind.class),
                                Arbitraries.integers().between(0, 100),
                                Arbitraries.integers().between(0, WORKERS - 1))
                        .as(ReferenceProgram.Action::new);
        return Combinators.combine(
                        Arbitraries.integers().between(0, WORKERS - 1),
                        Arbitraries.integers(),
                        action.list().ofMinSize(1).ofMaxSize(10))
                .as(ReferenceProgram::new);
    }

    @Provide
    Arbitrary<TimeoutProgram> timeoutPrograms() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, WORKERS - 1),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 60))
                .as(TimeoutProgram.Call::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(BLOCKED_CALLS)
                .map(TimeoutProgram::new);
    }

    @Provide
    Arbitrary<RetryProgram> retryPrograms() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, WORKERS - 1),
                        Arbitraries.of(RetryProgram.Way.class),
                        Arbitraries.of(1, 3, 100),
                        Arbitraries.integers().between(1, 60),
                        Arbitraries.of(true, false, false))
                .as(RetryProgram.Call::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(12)
                .map(RetryProgram::new);
    }

    @Provide
    Arbitrary<ValuePlan> values() {
        return Arbitraries.recursive(
                BackendProperties::leaves, BackendProperties::containers, 0, 3);
    }

    private static Arbitrary<ValuePlan> leaves() {
        return Arbitraries.oneOf(
                Arbitraries.integers().map(ValuePlan.Plain::new),
                Arbitraries.longs().map(ValuePlan.Plain::new),
                Arbitraries.doubles().map(ValuePlan.Plain::new),
                Arbitraries.strings().ofMaxLength(20).map(ValuePlan.Plain::new),
                Combinators.combine(
                                Arbitraries.of(ValuePlan.Layout.class),
                                Arbitraries.of(DType.class),
                                Arbitraries.integers().between(1, 5).list().ofMaxSize(3),
                                Arbitraries.of(true, false),
                                Arbitraries.longs())
                        .as(ValuePlan.TensorPlan::new),
                Arbitraries.integers().between(0, WORKERS - 1).map(ValuePlan.Reference::new));
    }

    private static Arbitrary<ValuePlan> containers(Arbitrary<ValuePlan> inner) {
        return Arbitraries.oneOf(
                inner,
                inner.list().ofMaxSize(4).map(ValuePlan.ListPlan::new),
                inner.list().ofMaxSize(4).map(ValuePlan.MapPlan::new),
                Combinators.combine(inner, inner).as(ValuePlan.PairPlan::new));
    }
}
