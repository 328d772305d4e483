package org.gradwire.schedulers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Network namespaces, each with an address, a route and a file of host names, connected by a
 * bridge.
 */
final class Pods implements AutoCloseable {
    private static final Path HOSTS = Path.of("/etc/netns");
    private static final String NETWORK = "10.213.7.";

    private final String prefix = "gw" + ProcessHandle.current().pid() + "p";
    private final String bridge = "gwbr" + ProcessHandle.current().pid() % 100_000;
    private final int count;

    private Pods(int count) {
        this.count = count;
    }

    static Pods create(int count) throws IOException, InterruptedException {
        var pods = new Pods(count);
        try {
            pods.create();
            return pods;
        } catch (IOException | InterruptedException | AssertionError e) {
            pods.close();
            throw e;
        }
    }

    private void create() throws IOException, InterruptedException {
        ip("netns", "add", prefix + "b");
        ip("-n", prefix + "b", "link", "add", bridge, "type", "bridge");
        ip("-n", prefix + "b", "link", "set", bridge, "up");
        for (int pod = 0; pod < count; pod++) {
            String name = prefix + pod;
            Files.createDirectories(HOSTS.resolve(name));
            Files.writeString(hosts(pod), "127.0.0.1 localhost\n");
            ip("netns", "add", name);
            ip("-n", name, "link", "add", "eth0", "type", "veth", "peer", "name", "v" + pod);
            ip("-n", name, "link", "set", "v" + pod, "netns", prefix + "b");
            ip("-n", prefix + "b", "link", "set", "v" + pod, "master", bridge, "up");
            ip("-n", name, "address", "add", address(pod) + "/24", "dev", "eth0");
            ip("-n", name, "link", "set", "eth0", "up");
            ip("-n", name, "link", "set", "lo", "up");
            ip("-n", name, "route", "add", "default", "via", NETWORK + "1");
        }
    }

    private static void ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Run.succeed(Path.of("/tmp"), Map.of(), command.toArray(String[]::new));
    }

    private static String address(int pod) {
        return NETWORK + (10 + pod);
    }

    private Path hosts(int pod) {
        return HOSTS.resolve(prefix + pod).resolve("hosts");
    }

    /** Start a command in a pod. */
    Run run(Path folder, int pod, Map<String, String> environment, List<String> command)
            throws IOException {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", prefix + pod));
        all.addAll(command);
        return Run.start(folder, environment, all);
    }

    /** Add the name of a pod to the names that all pods know. */
    void publish(int pod, String name) throws IOException {
        for (int each = 0; each < count; each++) {
            // The same file, since it is mounted in the namespace.
            Files.writeString(
                    hosts(each), "127.0.0.1 localhost\n%s %s\n".formatted(address(pod), name));
        }
    }

    /** Make one name for each pod known to all pods. */
    void publish(List<String> names) throws IOException {
        var text = new StringBuilder("127.0.0.1 localhost\n");
        for (int pod = 0; pod < count; pod++) {
            text.append(address(pod)).append(' ').append(names.get(pod)).append('\n');
        }
        for (int each = 0; each < count; each++) {
            Files.writeString(hosts(each), text);
        }
    }

    /** {@return the ids of the processes in a pod} */
    List<Long> processes(int pod) throws IOException, InterruptedException {
        return Run.succeed(Path.of("/tmp"), Map.of(), "ip", "netns", "pids", prefix + pod)
                .lines()
                .map(Long::valueOf)
                .toList();
    }

    @Override
    public void close() {
        for (int pod = 0; pod < count; pod++) {
            remove(prefix + pod);
            try {
                Files.deleteIfExists(hosts(pod));
                Files.deleteIfExists(hosts(pod).getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        remove(prefix + "b");
    }

    /** Remove a namespace, which may not exist after a failure. */
    private static void remove(String namespace) {
        try (Run run =
                Run.start(Path.of("/tmp"), Map.of(), List.of("ip", "netns", "delete", namespace))) {
            run.awaitStatus();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
