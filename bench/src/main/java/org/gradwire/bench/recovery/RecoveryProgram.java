package org.gradwire.bench.recovery;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** A program whose workers are killed, with its counterpart for PyTorch. */
public enum RecoveryProgram {
    /** A step is an exchange of all workers; there is no state. */
    RECOVERY(RecoveryWorker.class, Duration.ofMillis(200)),

    /** Data-parallel training of a perceptron, which saves checkpoints. */
    TRAINING(TrainingWorker.class, Duration.ofSeconds(2));

    private static final int STEPS_PER_CHECKPOINT = 50;

    private final Class<?> worker;
    private final Duration mostPause;

    RecoveryProgram(Class<?> worker, Duration mostPause) {
        this.worker = worker;
        this.mostPause = mostPause;
    }

    /** {@return the name in reports} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return the name of the program for PyTorch's workers} */
    public String python() {
        return "pytorch_%s.py".formatted(label());
    }

    /** {@return the longest pause before a kill: that of a training takes several checkpoints} */
    Duration mostPause() {
        return mostPause;
    }

    /** {@return the program for the launcher} */
    String main() {
        return "org.gradwire.bench/" + worker.getName();
    }

    /**
     * {@return the arguments of a worker}
     *
     * @param stop the file that ends the workers
     * @param state an empty folder
     */
    List<String> arguments(Path stop, Path state) {
        return switch (this) {
            case RECOVERY -> List.of(stop.toString());
            case TRAINING ->
                    List.of(
                            stop.toString(),
                            state.toString(),
                            Integer.toString(STEPS_PER_CHECKPOINT));
        };
    }
}
