package org.gradwire.bench;

import org.gradwire.bench.process.Jvm;
import org.gradwire.bench.process.NetworkHost;
import org.gradwire.bench.process.TemporaryDirectories;
import org.gradwire.bench.tls.GrpcTls;
import org.gradwire.bench.tls.HostCertificates;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * {@code ./gradwire bench --network}: two hosts that are network namespaces of this machine, with
 * Gradwire over UDP between them, without encryption, with a token and with certificates, Gradwire
 * over TCP with certificates, PyTorch over its transport uv, gRPC over mutual TLS, and bare
 * sockets. The processes of Gradwire, two workers each and two media drivers, share the machine's
 * cores; so do the two of PyTorch and of gRPC.
 */
final class NetworkBench {
    private static final int GRADWIRE_PORT = 29_400;

    /** Gradwire with a token, so that it encrypts. */
    static final String SEALED = "sealed";

    private static final int SEALED_PORT = 29_450;

    /** Gradwire with a certificate for each worker, so that it encrypts. */
    static final String CERTIFIED = "certified";

    private static final int CERTIFIED_PORT = 29_475;

    /** Gradwire over TCP, with the backend netty and the same certificates. */
    static final String NETTY = "netty-mtls";

    private static final int NETTY_PORT = 29_525;
    private static final int PYTORCH_PORT = 29_500;

    /** gRPC with a certificate for each process. */
    static final String GRPC_MTLS = "grpc-mtls";

    private static final int GRPC_PORT = 29_550;
    private static final int LIMIT_PORT = 29_575;

    /** Ratios by which Gradwire must be better than gRPC where both prove their identity. */
    private static final List<RequiredRatio> REQUIRED =
            List.of(
                    new RequiredRatio(CERTIFIED, GRPC_MTLS, 5, 3),
                    new RequiredRatio(NETTY, GRPC_MTLS, 5, 3));

    private final Options options;
    private final List<NetworkHost> hosts;

    private NetworkBench(Options options, List<NetworkHost> hosts) {
        this.options = options;
        this.hosts = hosts;
    }

    /** Measure, or print the reason that it is not possible here. */
    static void run(Options options) throws Exception {
        Optional<List<NetworkHost>> hosts = NetworkHost.startTwoOrSay();
        if (hosts.isPresent()) {
            try {
                new NetworkBench(options, hosts.get()).measure();
            } finally {
                hosts.get().forEach(NetworkHost::close);
            }
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
            Map<Metric, Map<String, Timing>> results = new Comparison(options, subjects).run();
            List<String> systems = subjects.stream().map(Subject::name).toList();
            new Report(systems, results).print(options, note(results));
        } finally {
            subjects.forEach(Subject::close);
            TemporaryDirectories.delete(folder);
        }
    }

    private static String note(Map<Metric, Map<String, Timing>> results) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "x: how many times better gradwire without encryption is, above 1. Required against PyTorch: 3 for"
                        + " the calls, 1 for the echo; encryption may cost 1.15 and 1.4."
                        + " All processes of both hosts share "
                        + Runtime.getRuntime().availableProcessors()
                        + " cores. limit: an echo over one TCP connection, blocking, without encryption.");
        REQUIRED.forEach(required -> lines.addAll(required.lines(results)));
        return String.join(System.lineSeparator(), lines);
    }

    private void start(Path folder, List<ChildSubject> subjects) throws IOException {
        if (options.wants(Report.OURS)) {
            subjects.add(gradwire(Report.OURS, GRADWIRE_PORT, _ -> NetworkHost.PLAIN));
        }
        if (options.wants(SEALED)) {
            String token = "gradwire.authentication-token-file=" + token(folder);
            subjects.add(gradwire(SEALED, SEALED_PORT, _ -> List.of(token)));
        }
        startCertified(folder, subjects);
        if (options.wants(PyTorch.NAME)) {
            startPyTorch(folder, subjects);
        }
        if (options.wants(MachineLimits.NAME)) {
            startLimit(subjects);
        }
    }

    private void startCertified(Path folder, List<ChildSubject> subjects) throws IOException {
        if (Stream.of(CERTIFIED, NETTY, GRPC_MTLS).noneMatch(options::wants)) {
            return;
        }
        List<String> addresses = hosts.stream().map(NetworkHost::address).toList();
        var certificates =
                HostCertificates.issue(
                        folder, List.of(NetworkPeer.name(0), NetworkPeer.name(1)), addresses);
        if (options.wants(CERTIFIED)) {
            subjects.add(gradwire(CERTIFIED, CERTIFIED_PORT, certificates::settings));
        }
        if (options.wants(NETTY)) {
            subjects.add(gradwire(NETTY, NETTY_PORT, rank -> netty(certificates, rank)));
        }
        if (options.wants(GRPC_MTLS)) {
            String server = hosts.getLast().address() + ":" + GRPC_PORT;
            subjects.add(child(GRPC_MTLS, true, rank -> grpc(certificates, rank), server));
        }
    }

    private void startLimit(List<ChildSubject> subjects) throws IOException {
        String server = hosts.getLast().address() + ":" + LIMIT_PORT;
        subjects.add(child(MachineLimits.NAME, true, _ -> Jvm.command(SocketPeer.class), server));
    }

    private static List<String> netty(HostCertificates certificates, int rank) {
        List<String> settings = new ArrayList<>(certificates.settings(rank));
        settings.add("gradwire.backend=netty");
        return settings;
    }

    private static List<String> grpc(HostCertificates certificates, int rank) {
        List<String> command = new ArrayList<>(Jvm.command(GrpcPeer.class));
        command.addAll(GrpcTls.of(certificates.byRank().get(rank)).arguments());
        return command;
    }

    private void startPyTorch(Path folder, List<ChildSubject> subjects) throws IOException {
        Optional<List<String>> command = PyTorch.command(options.python(), folder);
        if (command.isPresent()) {
            subjects.add(child(PyTorch.NAME, true, _ -> command.get(), meeting(PYTORCH_PORT)));
        } else {
            System.out.println(PyTorch.HINT);
        }
    }

    /** {@return a file with a token of this run} */
    private static Path token(Path folder) throws IOException {
        Path file = folder.resolve("token");
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, UUID.randomUUID().toString());
    }

    /** Start two workers with the settings of their ranks. */
    private ChildSubject gradwire(String name, int port, IntFunction<List<String>> settings)
            throws IOException {
        IntFunction<List<String>> command =
                rank -> {
                    List<String> all = new ArrayList<>(Jvm.command(NetworkPeer.class));
                    all.addAll(settings.apply(rank));
                    return all;
                };
        return child(name, false, command, meeting(port));
    }

    private String meeting(int port) {
        return hosts.getFirst().address() + ":" + port;
    }

    private ChildSubject child(
            String name, boolean stops, IntFunction<List<String>> command, String meeting)
            throws IOException {
        return new ChildSubject(
                name,
                stops,
                hosts.getFirst().enter(ChildSubject.command(command.apply(0), 0, meeting)),
                hosts.getLast().enter(ChildSubject.command(command.apply(1), 1, meeting)));
    }
}
