package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The training of the language model, and what it prints: the loss, and a text of the model. */
final class TrainedModel {
    /** A trainer, and the owners of the embedding and of the output layers. */
    static final int WORKERS = 3;

    private static final String FIRST = "loss on text held out";
    private static final String PREFIX = "(?m)^worker0 \\| ";

    private static @Nullable String ofLauncher; // one run for all tests

    private TrainedModel() {}

    /** {@return the command line of a worker} */
    static List<String> worker(Path folder) {
        return Project.worker("org.gradwire.examples.train.Train", arguments(folder));
    }

    private static String[] arguments(Path folder) {
        return new String[] {
            "--steps=20", "--batch=16", "--seconds=600", "--output=" + folder.resolve("model")
        };
    }

    /** {@return the result of the workers that {@code gradwire run} starts} */
    static synchronized String ofLauncher(Path folder) throws IOException, InterruptedException {
        String known = ofLauncher;
        if (known == null) {
            String[] command =
                    Stream.concat(
                                    Stream.of(
                                            "run",
                                            "--workers=" + WORKERS,
                                            "--jvm-arg=-XX:TieredStopAtLevel=1",
                                            "train"),
                                    Stream.of(arguments(folder)))
                            .toArray(String[]::new);
            try (Run run = Run.start(folder, Map.of(), Project.launcher(command))) {
                known = result(run.succeed().replaceAll(PREFIX, ""));
            }
            ofLauncher = known;
        }
        return known;
    }

    /** {@return the loss and the text, from the output of a worker} */
    static String result(String output) {
        int begin = output.indexOf(FIRST);
        int end = output.indexOf("pictures: ");
        assertTrue(0 <= begin && begin < end, output);
        return output.substring(begin, end);
    }
}
