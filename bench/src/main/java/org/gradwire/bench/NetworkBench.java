package org.gradwire.bench;

import org.gradwire.bench.process.Jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code ./gradwire bench --network}: two hosts that are network namespaces of this machine, with
 * Gradwire over UDP and PyTorch over its transport uv between them. The four processes of Gradwire,
 * two workers and two media drivers, share the machine's cores; so do PyTorch's two.
 */
final class NetworkBench {
    private static final int GRADWIRE_PORT = 29_400;
    private static final int PYTORCH_PORT = 29_500;

    private final Options options;
    private final List<NetworkHost> hosts;

    private NetworkBench(Options options, List<NetworkHost> hosts) {
        this.options = options;
        this.hosts = hosts;
    }

    /** Measure, or say why that is not possible here. */
    static void run(Options options) throws Exception {
        List<NetworkHost> hosts;
        try {
            hosts = NetworkHost.startTwo();
        } catch (IOException e) {
            System.out.println(
                    "skipped: two network namespaces are not possible here, which takes Linux and"
                            + " root: "
                            + e.getMessage());
            return;
        }
        try {
            new NetworkBench(options, hosts).measure();
        } finally {
            hosts.forEach(NetworkHost::close);
        }
    }

    private void measure() throws Exception {
        Path folder = Files.createTempDirectory("gradwire-bench");
        List<ChildSubject> subjects = new ArrayList<>();
        try {
            start(folder, subjects);
            for (ChildSubject subject : subjects) {
                subject.awaitReady();
            }
            Map<Figure, Map<String, Timing>> results = new Comparison(options, subjects).run();
            List<String> systems = subjects.stream().map(Subject::name).toList();
            new Report(systems, results).print(options, note());
        } finally {
            subjects.forEach(Subject::close);
            Folders.delete(folder);
        }
    }

    private static String note() {
        return "x: how many times better gradwire is, above 1; 3 is owed for the calls, 1 for the echo."
                + " All processes of both hosts share "
                + Runtime.getRuntime().availableProcessors()
                + " cores.";
    }

    private void start(Path folder, List<ChildSubject> subjects) throws IOException {
        if (options.wants(Report.OURS)) {
            subjects.add(child(Report.OURS, false, Jvm.command(NetworkPeer.class), GRADWIRE_PORT));
        }
        if (options.wants(PyTorch.NAME)) {
            Optional<List<String>> command = PyTorch.command(options.python(), folder);
            if (command.isPresent()) {
                subjects.add(child(PyTorch.NAME, true, command.get(), PYTORCH_PORT));
            } else {
                System.out.println(PyTorch.HINT);
            }
        }
    }

    private ChildSubject child(String name, boolean stops, List<String> command, int port)
            throws IOException {
        String meeting = hosts.getFirst().address() + ":" + port;
        return new ChildSubject(
                name,
                stops,
                hosts.getFirst().enter(ChildSubject.command(command, 0, meeting)),
                hosts.getLast().enter(ChildSubject.command(command, 1, meeting)));
    }
}
