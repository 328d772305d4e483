package org.gradwire.examples.parameterserver;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.checks.Training;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The training of the parameter server while workers are replaced by later processes. */
@Timeout(120)
class ElasticTrainingTest {
    private static final Hyperparameters OPTIONS = Hyperparameters.DEFAULT.withSteps(40);
    private static final int WORKERS = 3;

    private final String meeting = "inproc://" + UUID.randomUUID();
    private final List<Rpc> workers = new ArrayList<>();

    private Rpc start(int rank, int restart) {
        Rpc worker =
                Rpc.init(
                        RpcOptions.builder()
                                .rank(rank)
                                .dynamicGroup()
                                .backend("inproc")
                                .rendezvous(meeting)
                                .set("gradwire.quorum", Integer.toString(WORKERS))
                                .set("gradwire.restart", Integer.toString(restart))
                                .build());
        workers.add(worker);
        return worker;
    }

    @AfterEach
    void close() {
        workers.forEach(Rpc::shutdownNow);
    }

    /** Replaces a worker by a later process before a step, once. */
    private final class Disturbed implements ElasticProgram {
        private final ElasticProgram program;
        private final int replaced;
        private int steps;

        private Disturbed(ElasticProgram program, int replaced) {
            this.program = program;
            this.replaced = replaced;
        }

        @Override
        public void recover(GroupView view) {
            program.recover(view);
        }

        @Override
        public boolean step(GroupView view) {
            steps++;
            if (steps == 15) {
                start(replaced, 1);
            }
            return program.step(view);
        }
    }

    private Training undisturbed() {
        try (var training = new ElasticTraining(workers.getFirst(), OPTIONS)) {
            Elastic.on(workers.getFirst()).run(training);
            return training.result();
        }
    }

    /** Check that two results are equal, except for the order in which gradients were added. */
    private static void assertSame(Training expected, Training result) {
        assertTrue(result.printAgainst(expected));
    }

    @Test
    void lossOfAServerDoesNotChangeTheResult() {
        for (int rank = 0; rank < WORKERS; rank++) {
            start(rank, 0);
        }
        Training expected = undisturbed();
        Rpc trainer = start(0, 1); // a server that was not used before has no snapshot
        start(1, 1);
        start(2, 1);
        try (var training = new ElasticTraining(trainer, OPTIONS)) {
            Elastic.on(trainer).run(new Disturbed(training, 2));
            assertSame(expected, training.result());
        }
    }

    @Test
    void lossOfTheTrainerDoesNotChangeTheResult() {
        for (int rank = 0; rank < WORKERS; rank++) {
            start(rank, 0);
        }
        Training expected = undisturbed();
        Rpc first = start(0, 1);
        start(1, 1);
        start(2, 1);
        var lost = new ElasticTraining(first, OPTIONS);
        var failure =
                assertThrows(
                        RpcException.class, () -> Elastic.on(first).run(new Disturbed(lost, 0)));
        assertTrue(
                failure.getMessage()
                        .endsWith(
                                "has stopped: the others of its group have lost it and continue without it"),
                failure.getMessage());
        Rpc second = workers.getLast();
        try (var training = new ElasticTraining(second, OPTIONS)) {
            Elastic.on(second).run(training);
            assertSame(expected, training.result());
        }
    }
}
