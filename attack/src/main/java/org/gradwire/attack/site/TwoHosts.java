package org.gradwire.attack.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Two hosts in separate Linux network namespaces, connected by a veth pair; needs root. The
 * namespaces belong to processes that read from this JVM, and end with it.
 */
final class TwoHosts implements AutoCloseable {
    static final String FIRST_ADDRESS = "10.79.0.1";
    private static final String SECOND_ADDRESS = "10.79.0.2";
    private static final String INTERFACE = "eth0";
    private static final String SET_UP =
            "echo $0 > /proc/sys/kernel/hostname && ip link set lo up && echo ready && exec cat";

    private final Process first;
    private final Process second;

    private TwoHosts(Process first, Process second) {
        this.first = first;
        this.second = second;
    }

    static TwoHosts start() throws IOException {
        Process first = hold("first-host");
        Process second = hold("second-host");
        var hosts = new TwoHosts(first, second);
        try {
            ip(
                    first,
                    "link add %s type veth peer name %s netns %d"
                            .formatted(INTERFACE, INTERFACE, second.pid()));
            connect(first, FIRST_ADDRESS);
            connect(second, SECOND_ADDRESS);
        } catch (IOException e) {
            hosts.close();
            throw e;
        }
        return hosts;
    }

    private static Process hold(String name) throws IOException {
        Process holder =
                new ProcessBuilder("unshare", "--net", "--uts", "sh", "-c", SET_UP, name)
                        .redirectErrorStream(true)
                        .start();
        String said = holder.inputReader().readLine();
        if (!"ready".equals(said)) {
            holder.destroyForcibly();
            throw new UnavailableException("no namespaces for " + name + ": " + said);
        }
        return holder;
    }

    private static void connect(Process host, String address) throws IOException {
        ip(host, "address add " + address + "/24 dev " + INTERFACE);
        ip(host, "link set " + INTERFACE + " up");
        ip(host, "route add default dev " + INTERFACE);
    }

    private static void ip(Process host, String arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments.split(" ", -1)));
        var _ = Commands.output(on(host, command));
    }

    private static List<String> on(Process host, List<String> command) {
        List<String> all = new ArrayList<>();
        all.addAll(List.of("nsenter", "--target", Long.toString(host.pid()), "--net", "--uts"));
        all.add("--");
        all.addAll(command);
        return all;
    }

    List<String> onFirst(List<String> command) {
        return on(first, command);
    }

    List<String> onSecond(List<String> command) {
        return on(second, command);
    }

    @Override
    public void close() {
        first.destroyForcibly();
        second.destroyForcibly();
    }
}
