package org.gradwire.bench;

import org.gradwire.bench.process.Jvm;
import org.gradwire.bench.process.TemporaryDirectories;
import org.gradwire.bench.soak.SoakWorker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ./gradwire bench --soak SECONDS}: calls, tensors, references and distributed passes
 * between two fresh workers, in which no resource may grow.
 */
final class SoakBench {

    private SoakBench() {}

    /** Measure, and print the samples; {@return a line for each number that grew too much} */
    static List<String> run(int seconds) throws IOException {
        Path folder = Files.createTempDirectory("gradwire-soak");
        List<String> command = new ArrayList<>(Jvm.command(SoakWorker.class));
        command.add("/dev/shm/gradwire-soak-" + ProcessHandle.current().pid());
        command.add(Integer.toString(seconds));
        String meeting = folder.resolve("meeting").toUri().toString();
        List<String> broken = new ArrayList<>();
        try (var workers = ChildSubject.onThisHost(Report.OURS, false, command, meeting)) {
            String line = workers.answer();
            while (!line.equals(SoakWorker.END)) {
                if (line.startsWith(SoakWorker.BROKEN)) {
                    broken.add(line.substring(SoakWorker.BROKEN.length()));
                } else {
                    System.out.println(line);
                }
                line = workers.answer();
            }
        } finally {
            TemporaryDirectories.delete(folder);
        }
        return broken;
    }
}
