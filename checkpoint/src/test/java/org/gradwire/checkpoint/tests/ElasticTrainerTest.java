package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.ElasticTrainer;
import org.gradwire.checkpoint.tests.ElasticGroup.Loss;
import org.gradwire.checkpoint.tests.ElasticGroup.Moment;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Trainings whose members are lost, against one whose members are not. */
@Timeout(180)
class ElasticTrainerTest {
    private static final int MEMBERS = 3;
    private static final int STEPS = 12;

    @TempDir Path directory;
    private CheckpointStorage storage;

    @BeforeEach
    void createStorage() {
        storage = CheckpointStorage.directory(directory.resolve("disturbed"));
    }

    private static Map<String, Tensor> train(
            CheckpointStorage storage, UnaryOperator<ElasticTrainer> settings, List<Loss> losses)
            throws InterruptedException {
        try (var group = new ElasticGroup(MEMBERS, STEPS, storage, settings, losses)) {
            return train(group);
        }
    }

    private static Map<String, Tensor> train(ElasticGroup group) throws InterruptedException {
        Map<String, Tensor> tensors = group.train();
        assertEquals(Map.of(), group.failures());
        return tensors;
    }

    private Map<String, Tensor> undisturbed() throws InterruptedException {
        return train(
                CheckpointStorage.directory(directory.resolve("undisturbed")),
                trainer -> trainer.saveEvery(5),
                List.of());
    }

    private static void assertSame(Map<String, Tensor> expected, Map<String, Tensor> found) {
        assertTrue(expected.size() > 10, expected.keySet().toString());
        assertTrue(Trainer.equal(expected, found), "the bits differ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aLostMemberDoesNotChangeTheResult(int rank) throws Exception {
        var losses = List.of(new Loss(rank, 8, Moment.BEFORE_STEP));
        var found = train(storage, trainer -> trainer.saveEvery(5), losses);
        assertSame(undisturbed(), found);
        assertEquals(List.of(10L, 12L), Checkpoint.steps(storage));
    }

    @Test
    void mirroredCopiesAreLoadedWithoutTheStorage() throws Exception {
        var losses = List.of(new Loss(1, 8, Moment.BEFORE_STEP));
        try (var group =
                new ElasticGroup(
                        MEMBERS,
                        STEPS,
                        new HookedStorage(
                                storage,
                                () -> {},
                                () -> {
                                    throw new IOException("the storage is not read");
                                }),
                        trainer -> trainer.saveEvery(5).copyEvery(1).mirrors(1),
                        losses)) {
            Map<String, Tensor> found = train(group);
            assertSame(undisturbed(), found);
            for (int rank = 0; rank < MEMBERS; rank++) {
                assertEquals(7, group.continued(rank), "worker" + rank);
            }
        }
    }

    @Test
    void aStateThatOnlyTheLostMemberHadComesFromTheStorage() throws Exception {
        // The save of step 10 waits for the end of that of step 5.
        var losses = List.of(new Loss(1, 12, Moment.BEFORE_STEP));
        try (var group =
                new ElasticGroup(
                        MEMBERS,
                        STEPS,
                        storage,
                        trainer -> trainer.saveEvery(5).copyEvery(1),
                        losses)) {
            assertSame(undisturbed(), train(group));
            assertTrue(List.of(5L, 10L).contains(group.continued(0)), "the checkpoint");
        }
    }

    @Test
    void aGroupThatStartsAgainContinues() throws Exception {
        try (var first =
                new ElasticGroup(MEMBERS, 7, storage, trainer -> trainer.saveEvery(5), List.of())) {
            assertNotNull(train(first));
        }
        try (var second =
                new ElasticGroup(
                        MEMBERS, STEPS, storage, trainer -> trainer.saveEvery(5), List.of())) {
            assertSame(undisturbed(), train(second));
            assertEquals(7, second.continued(0));
        }
    }

    @Test
    void saveThatFailsDoesNotEndTheTraining() throws Exception {
        var failing = HookedStorage.failing(directory.resolve("disturbed"), 3);
        var found = train(failing, trainer -> trainer.saveEvery(5), List.of());
        assertSame(undisturbed(), found);
        assertEquals(List.of(10L, 12L), Checkpoint.steps(storage));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void anExceptionOfOneMemberEndsTheTrainingOfAll(int rank) throws Exception {
        try (var group =
                new ElasticGroup(
                        MEMBERS,
                        STEPS,
                        storage,
                        trainer -> trainer.saveEvery(5),
                        List.of(new Loss(rank, 8, Moment.EXCEPTION)))) {
            var _ = group.train();
            assertEquals(MEMBERS, group.failures().size(), group.failures().toString());
            group.failures()
                    .forEach((name, failure) ->
                            assertTrue(
                                    name.equals("worker" + rank)
                                            ? failure.equals("the batch is missing")
                                            : failure.contains("before the training had ended"),
                                    failure));
        }
        assertEquals(List.of(5L), Checkpoint.steps(storage));
    }

    /** {@code -Dcheckpoint.runs=N} does more of them, {@code -Dcheckpoint.seed=N} repeats some. */
    @Test
    @Timeout(7200)
    void manyLossesDoNotChangeTheResult() throws Exception {
        long seed = Long.getLong("checkpoint.seed", new SplittableRandom().nextLong());
        System.out.println("-Dcheckpoint.seed=" + seed);
        var random = new SplittableRandom(seed);
        Map<String, Tensor> expected = undisturbed();
        for (int run = 0; run < Integer.getInteger("checkpoint.runs", 1); run++) {
            List<Loss> losses = losses(random);
            int mirrors = random.nextInt(2);
            var runStorage = CheckpointStorage.directory(directory.resolve("run" + run));
            var found =
                    train(
                            runStorage,
                            trainer -> trainer.saveEvery(3).copyEvery(1).mirrors(mirrors),
                            losses);
            assertSame(expected, found);
        }
    }

    private static List<Loss> losses(SplittableRandom random) {
        List<Loss> losses = new ArrayList<>();
        for (long step = 2; step <= STEPS; step += 1 + random.nextInt(3)) {
            Moment moment = random.nextBoolean() ? Moment.BEFORE_STEP : Moment.AFTER_STEP;
            losses.add(new Loss(random.nextInt(MEMBERS), step, moment));
        }
        return losses;
    }
}
