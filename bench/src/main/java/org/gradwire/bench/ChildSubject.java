package org.gradwire.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A system that runs in child processes, the first of which measures; see {@link ChildLoop}. */
final class ChildSubject implements Subject {
    private static final long GRACE_SECONDS = 5;
    private static final long MEASURING_SECONDS = 1;

    private final String name;
    private final boolean stops;
    private final List<Process> processes;
    private final Process measuring;
    private final BufferedReader answers;
    private final BufferedWriter questions;
    private final Set<Metric> metrics = EnumSet.noneOf(Metric.class);

    /**
     * Start the two processes without waiting until they are ready.
     *
     * @param stops whether they are stopped between their measurements, so that polling and
     *     compiling do not take cores from the others
     */
    ChildSubject(
            String name, boolean stops, List<String> measuringCommand, List<String> peerCommand)
            throws IOException {
        this(name, stops, List.of(start(measuringCommand), start(peerCommand)));
    }

    private ChildSubject(String name, boolean stops, List<Process> processes) {
        this.name = name;
        this.stops = stops;
        this.processes = List.copyOf(processes);
        measuring = processes.getFirst();
        answers = measuring.inputReader();
        questions = measuring.outputWriter();
    }

    /** Start a process that needs no other, and waits for questions without taking a core. */
    static ChildSubject alone(String name, List<String> command) throws IOException {
        return new ChildSubject(name, false, List.of(start(command)));
    }

    /** Start two processes of one program on this host. */
    static ChildSubject onThisHost(String name, boolean stops, List<String> program, String meeting)
            throws IOException {
        return new ChildSubject(
                name, stops, command(program, 0, meeting), command(program, 1, meeting));
    }

    /** Start the members of a group, with a command for each rank. */
    static ChildSubject group(String name, boolean stops, List<List<String>> commands)
            throws IOException {
        List<Process> processes = new ArrayList<>();
        for (List<String> command : commands) {
            processes.add(start(command));
        }
        return new ChildSubject(name, stops, processes);
    }

    /**
     * {@return a command with its last two arguments: the rank, 0 to measure, and the rendezvous}
     */
    static List<String> command(List<String> program, int rank, String meeting) {
        var all = new ArrayList<>(program);
        all.add(Integer.toString(rank));
        all.add(meeting);
        return all;
    }

    /** {@return its processes} */
    List<ProcessHandle> processes() {
        return processes.stream().map(Process::toHandle).toList();
    }

    private static Process start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().remove("GRADWIRE_READY_FILE"); // of the bench, not of its children
        return builder.start();
    }

    /** Wait until the processes are ready. */
    void awaitReady() throws IOException {
        String[] words = answer().split(" ", -1);
        if (!words[0].equals("ready")) {
            throw new IOException(name + " said '" + words[0] + "' instead of 'ready'");
        }
        Arrays.stream(words)
                .skip(1)
                .map(label -> Metric.labelled(label).orElseThrow())
                .forEach(metrics::add);
        signal("STOP");
    }

    /** {@return the next line that the measuring process prints} */
    String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the process of " + name + " ended; see its messages above");
        }
        return line;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Metric> metrics() {
        return metrics;
    }

    @Override
    public boolean compilesLate() {
        return !name.equals(PyTorch.NAME);
    }

    @Override
    public Timing measure(Metric metric, Duration time) throws IOException {
        signal("CONT");
        questions.write(metric.label() + " " + time.toMillis() + "\n");
        questions.flush();
        String[] numbers = answer().split(" ", -1);
        signal("STOP");
        return new Timing(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    private void signal(String name) throws IOException {
        if (!stops) {
            return;
        }
        try {
            List<String> command = new ArrayList<>(List.of("kill", "-" + name));
            processes.forEach(process -> command.add(Long.toString(process.pid())));
            new ProcessBuilder(command).start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            signal("CONT");
        } catch (IOException _) {
            processes.forEach(Process::destroyForcibly);
        }
        closeInput(measuring);
        boolean _ = awaitEnd(measuring, MEASURING_SECONDS); // Gradwire's ends the others
        processes.forEach(ChildSubject::closeInput); // PyTorch's waits for this
        processes.stream()
                .filter(process -> !awaitEnd(process, GRACE_SECONDS))
                .forEach(Process::destroyForcibly);
    }

    private static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException _) {
            process.destroyForcibly();
        }
    }

    private static boolean awaitEnd(Process process, long seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
