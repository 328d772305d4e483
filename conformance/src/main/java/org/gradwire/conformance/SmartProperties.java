package org.gradwire.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.SpecProperty;
import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.conformance.properties.SeedReport;
import org.gradwire.conformance.properties.SmartProgram;
import org.gradwire.conformance.properties.SmartProgram.Operator;
import org.gradwire.conformance.properties.SmartProgram.Step;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Checks SMART backward passes on random programs that leave some results unused. Extend and run it
 * like {@link BackendProperties}.
 */
@AddLifecycleHook(SeedReport.class)
public abstract class SmartProperties extends CaseSuite {
    private static final int WORKERS = 3;
    private static final int INPUTS = 3;
    private static final int STEPS = 7;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private @Nullable WorkerGroup group;

    /** For subclasses. */
    protected SmartProperties() {}

    @BeforeProperty
    void start() {
        group = WorkerGroup.start(backend(), WORKERS);
    }

    @AfterProperty
    void end() {
        group().close();
    }

    private WorkerGroup group() {
        if (group == null) {
            throw new IllegalStateException("the group was not started");
        }
        return group;
    }

    /** SMART yields the gradients of a local run, whatever results are unused. */
    @SpecProperty("SM-P1")
    @Property(tries = 100)
    void resultsThatAreNotUsedDoNotMatter(@ForAll("programs") SmartProgram program)
            throws Exception {
        checkInTime(program);
    }

    /** If all results are used, SMART and FAST yield the same gradients. */
    @SpecProperty("SM-P2")
    @Property(tries = 60)
    void bothModesHaveTheSameGradients(@ForAll("thriftyPrograms") SmartProgram program)
            throws Exception {
        assertTrue(program.usesAll());
        checkInTime(program);
    }

    /** Run a program with a time limit, so that a pass that hangs fails the test. */
    private void checkInTime(SmartProgram program) throws Exception {
        CompletableFuture.runAsync(
                        () -> program.check(group()), task -> Thread.ofPlatform().start(task))
                .get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Provide
    Arbitrary<SmartProgram> programs() {
        Arbitrary<Integer> root = Arbitraries.integers().between(0, 20);
        return programs(
                Arbitraries.of(Operator.class),
                root.list().ofMinSize(1).ofMaxSize(5).list().ofMinSize(1).ofMaxSize(3));
    }

    @Provide
    Arbitrary<SmartProgram> thriftyPrograms() {
        List<Integer> all = IntStream.range(0, INPUTS + STEPS).boxed().toList();
        return programs(
                Arbitraries.of(Operator.class).filter(operator -> !operator.isWasteful()),
                Arbitraries.just(all).list().ofMinSize(1).ofMaxSize(2));
    }

    private static Arbitrary<SmartProgram> programs(
            Arbitrary<Operator> operators, Arbitrary<List<List<Integer>>> passes) {
        Arbitrary<Step> step =
                Combinators.combine(
                                operators,
                                Arbitraries.integers().between(0, 20),
                                Arbitraries.integers().between(0, 20),
                                Arbitraries.integers().between(0, WORKERS - 1),
                                Arbitraries.of(true, false))
                        .as(Step::new);
        return Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.of(true, false).list().ofMinSize(1).ofMaxSize(INPUTS),
                        step.list().ofMinSize(1).ofMaxSize(STEPS),
                        passes)
                .as(SmartProgram::new)
                .filter(program -> program.inputs().contains(true));
    }
}
