package org.gradwire.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The processor time of processes, in ticks of the system, which are 10 ms on Linux. */
public final class ProcessorTime {

    private ProcessorTime() {}

    /** {@return the user and system time of all threads of some processes since their start} */
    public static Duration of(List<ProcessHandle> processes) {
        return processes.stream()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * {@return the processes whose command lines have an argument with a text: the media driver of
     * a directory leads its own session, so it is not a descendant}
     */
    public static List<ProcessHandle> named(String text) {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process).contains(text))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "cmdline"),
                    StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return ""; // it has ended
        }
    }
}
