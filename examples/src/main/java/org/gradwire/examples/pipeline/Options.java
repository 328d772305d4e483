package org.gradwire.examples.pipeline;

import org.gradwire.examples.Arguments.Count;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@link Pipeline}. */
@Command(
        name = "pipeline",
        mixinStandardHelpOptions = true,
        description = "Train a model in three stages with several micro-batches in flight.")
final class Options {
    @Option(
            names = "--model",
            defaultValue = "CNN",
            description = "One of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Model model = Model.CNN;

    @Option(
            names = "--steps",
            converter = Count.class,
            defaultValue = "30",
            description = "Steps of each run. Default: ${DEFAULT-VALUE}.")
    private int steps;

    @Option(
            names = "--batch",
            converter = Count.class,
            defaultValue = "256",
            description = "Images in a step. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of parameters and images. Default: ${DEFAULT-VALUE}.")
    private long seed;

    Model model() {
        return model;
    }

    int steps() {
        return steps;
    }

    int batch() {
        return batch;
    }

    long seed() {
        return seed;
    }
}
