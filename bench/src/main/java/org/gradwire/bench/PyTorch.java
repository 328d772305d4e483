package org.gradwire.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * PyTorch, where a Python that has it is found. Its pipes between processes of one machine poll
 * without a pause, also when there is nothing to do.
 */
final class PyTorch {
    static final String NAME = "pytorch";

    private static final String PROGRAM = "pytorch_peer.py";
    private static final long PATIENCE_SECONDS = 30;

    /** How to get it, in one line. */
    static final String HINT =
            "PyTorch is left out: no python3 with torch.distributed.rpc found. On Debian: apt-get install"
                    + " python3-torch libopenblas0-pthread; elsewhere: pip install torch, and --python PATH";

    private PyTorch() {}

    /** Start its two processes with the given Python, or with the first that has it. */
    static Optional<ChildSubject> start(Optional<String> python, Path folder) throws IOException {
        List<String> candidates =
                python.map(List::of).orElse(List.of("python3", "/usr/bin/python3"));
        Optional<String> found = candidates.stream().filter(PyTorch::hasTorch).findFirst();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Path program = folder.resolve(PROGRAM);
        try (InputStream resource = PyTorch.class.getResourceAsStream(PROGRAM)) {
            Files.copy(
                    Objects.requireNonNull(resource), program, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command = List.of(found.get(), program.toString());
        return Optional.of(new ChildSubject(NAME, true, command, Ports.free()));
    }

    private static boolean hasTorch(String python) {
        try {
            Process process =
                    new ProcessBuilder(python, "-c", "import torch.distributed.rpc")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException _) {
            return false; // there is no such program
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
