package org.gradwire.bench;

import org.gradwire.bench.process.Ports;
import org.gradwire.tensor.Device;

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
 * PyTorch, if a Python with it is installed. Its pipes between local processes busy-poll even when
 * idle.
 */
final class PyTorch {
    static final String NAME = "pytorch";

    private static final String PROGRAM = "pytorch_peer.py";
    private static final String DEVICE_PROGRAM = "pytorch_device.py";
    private static final String OPERATOR_PROGRAM = "pytorch_operators.py";
    private static final long PATIENCE_SECONDS = 120; // an import next to busy threads

    /** A line with installation instructions. */
    static final String HINT =
            "PyTorch is left out: no python3 with torch.distributed.rpc found. On Debian: apt-get install"
                    + " python3-torch libopenblas0-pthread; elsewhere: pip install torch, and --python PATH";

    /** A line for a machine where PyTorch does not have the device. */
    static final String DEVICE_HINT =
            "PyTorch is left out: no python3 whose torch has this device found. pip install torch, and --python PATH";

    private PyTorch() {}

    /** Start its two processes with the given Python, or with the first one that has PyTorch. */
    static Optional<ChildSubject> start(Optional<String> python, Path folder) throws IOException {
        Optional<List<String>> command = command(python, folder);
        return command.isEmpty()
                ? Optional.empty()
                : Optional.of(ChildSubject.onThisHost(NAME, true, command.get(), Ports.free()));
    }

    /**
     * {@return the command of its processes without rank and rendezvous; empty without a Python}
     */
    static Optional<List<String>> command(Optional<String> python, Path folder) throws IOException {
        Optional<String> found = python(python);
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(List.of(found.get(), unpack(PROGRAM, folder).toString()));
    }

    /** {@return the given Python, or the first with PyTorch; empty without one} */
    static Optional<String> python(Optional<String> given) {
        return python(given, "import torch.distributed.rpc");
    }

    /**
     * {@return the given Python, or the first, with which a statement succeeds; empty without one}
     */
    private static Optional<String> python(Optional<String> given, String statement) {
        List<String> candidates =
                given.map(List::of).orElse(List.of("python3", "/usr/bin/python3"));
        return candidates.stream().filter(python -> runs(python, statement)).findFirst();
    }

    /** Start its process for a device, if there is a Python whose PyTorch has that device. */
    static Optional<ChildSubject> startOn(Device device, Optional<String> python, Path folder)
            throws IOException {
        String use = "import torch; torch.zeros(1, device='%s')".formatted(device);
        Optional<String> found = python(python, use);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        String program = unpack(DEVICE_PROGRAM, folder).toString();
        return Optional.of(
                ChildSubject.alone(NAME, List.of(found.get(), program, device.toString())));
    }

    /** Start its process for operators on one thread, if there is a Python with PyTorch. */
    static Optional<ChildSubject> startOperators(Optional<String> python, Path folder)
            throws IOException {
        Optional<String> found = python(python, "import torch");
        if (found.isEmpty()) {
            return Optional.empty();
        }
        String program = unpack(OPERATOR_PROGRAM, folder).toString();
        return Optional.of(ChildSubject.alone(NAME, List.of(found.get(), program)));
    }

    /** {@return a program of this package, extracted to a directory} */
    static Path unpack(String name, Path folder) throws IOException {
        Path program = folder.resolve(name);
        try (InputStream resource = PyTorch.class.getResourceAsStream(name)) {
            Files.copy(
                    Objects.requireNonNull(resource), program, StandardCopyOption.REPLACE_EXISTING);
        }
        return program;
    }

    private static boolean runs(String python, String statement) {
        try {
            Process process =
                    new ProcessBuilder(python, "-c", statement)
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
