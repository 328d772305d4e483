package org.gradwire.examples.train;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.tensor.Device;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The command line of {@link Train}. */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        description = "Train a language model over characters across processes.")
final class Options {
    @Option(
            names = "--text",
            paramLabel = "FILE",
            description = "Text to train on, UTF-8. Default: the bundled novel.")
    private @Nullable Path text;

    @Option(
            names = "--steps",
            defaultValue = "6000",
            description = "Steps of each trainer. Default: ${DEFAULT-VALUE}.")
    private int steps;

    @Option(
            names = "--seconds",
            defaultValue = "75",
            description =
                    "Stop after this time, regardless of the steps. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--batch",
            defaultValue = "256",
            description = "Contexts in a trainer's batch. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(
            names = "--learning-rate",
            defaultValue = "0.1",
            description = "Default: ${DEFAULT-VALUE}.")
    private double learningRate;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of parameters and batches. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--device",
            description =
                    "Device of the parameters and batches of each worker, such as cuda:0."
                            + " Default: ${DEFAULT-VALUE}.",
            defaultValue = "cpu")
    private String device = "cpu";

    @Option(
            names = "--steps-per-checkpoint",
            defaultValue = "50",
            description = "Steps from one checkpoint to the next. Default: ${DEFAULT-VALUE}.")
    private int stepsPerCheckpoint;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            defaultValue = "train-output",
            description = "Folder for the charts and the checkpoints. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("train-output");

    /**
     * Check the conditions that the parser does not check.
     *
     * @throws ParameterException with the name of the option
     */
    void validate(CommandLine commandLine) {
        require(commandLine, steps >= 1, "--steps", steps, "1 or more");
        require(commandLine, seconds >= 1, "--seconds", seconds, "1 or more");
        require(commandLine, batch >= 1, "--batch", batch, "1 or more");
        require(
                commandLine,
                stepsPerCheckpoint >= 1,
                "--steps-per-checkpoint",
                stepsPerCheckpoint,
                "1 or more");
        require(commandLine, learningRate > 0, "--learning-rate", learningRate, "above 0");
        require(
                commandLine,
                text == null || Files.isReadable(text),
                "--text",
                text,
                "a file that can be read");
        try {
            device().synchronize(); // it exists
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, "--device " + device + ": " + e.getMessage());
        }
    }

    private static void require(
            CommandLine commandLine,
            boolean holds,
            String option,
            @Nullable Object value,
            String expected) {
        if (!holds) {
            throw new ParameterException(
                    commandLine, "%s %s: must be %s".formatted(option, value, expected));
        }
    }

    Optional<Path> text() {
        return Optional.ofNullable(text);
    }

    int steps() {
        return steps;
    }

    Duration time() {
        return Duration.ofSeconds(seconds);
    }

    int batch() {
        return batch;
    }

    double learningRate() {
        return learningRate;
    }

    long seed() {
        return seed;
    }

    Device device() {
        return Device.parse(device);
    }

    Path output() {
        return output;
    }

    int stepsPerCheckpoint() {
        return stepsPerCheckpoint;
    }

    CheckpointStorage checkpoints() {
        return CheckpointStorage.directory(output.resolve("checkpoints"));
    }
}
