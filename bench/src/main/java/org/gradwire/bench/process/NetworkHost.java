package org.gradwire.bench.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An isolated host for processes, with its own network, name and {@code /dev/shm}.
 *
 * <p>It consists of Linux namespaces, which require root. A holder process reads from this JVM:
 * when this JVM ends, killed or not, the holder, the namespaces and their processes end too.
 * Confined to one thread.
 */
public final class NetworkHost implements AutoCloseable {
    /** The network interface of a host to the other one. */
    public static final String INTERFACE = "eth0";

    /**
     * Settings of workers that do not encrypt: namespaces of this machine need no token, and the
     * one that the launcher makes turns no encryption on.
     */
    public static final List<String> PLAIN =
            List.of("gradwire.insecure=true", "gradwire.encryption=none");

    private static final String SET_UP =
            "echo $0 > /proc/sys/kernel/hostname && mount -t tmpfs tmpfs /dev/shm"
                    + " && ip link set lo up && echo ready && exec cat";
    private static final long PATIENCE_SECONDS = 10;

    private final Process holder;
    private final String address;

    private NetworkHost(Process holder, String address) {
        this.holder = holder;
        this.address = address;
    }

    /** Start two hosts, or print the reason that they are not possible here. */
    public static Optional<List<NetworkHost>> startTwoOrSay() {
        try {
            return Optional.of(startTwo());
        } catch (IOException e) {
            System.out.println(
                    "skipped: two network namespaces are not possible here; they need Linux and"
                            + " root: "
                            + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Start two hosts joined by a virtual link with an MTU of 1,500 bytes.
     *
     * @throws IOException when the system does not permit it
     */
    private static List<NetworkHost> startTwo() throws IOException {
        NetworkHost left = start("left", "10.78.0.1");
        NetworkHost right = null;
        try {
            right = start("right", "10.78.0.2");
            left.ip(
                    "link add %s type veth peer name %s netns %d"
                            .formatted(INTERFACE, INTERFACE, right.holder.pid()));
            left.connect();
            right.connect();
            return List.of(left, right);
        } catch (IOException e) {
            left.close();
            if (right != null) {
                right.close();
            }
            throw e;
        }
    }

    private static NetworkHost start(String name, String address) throws IOException {
        Process holder =
                new ProcessBuilder("unshare", "--net", "--uts", "--mount", "sh", "-c", SET_UP, name)
                        .redirectErrorStream(true)
                        .start();
        String said = holder.inputReader().readLine();
        if (!"ready".equals(said)) {
            holder.destroyForcibly();
            throw new IOException("no namespaces for host '" + name + "': " + said);
        }
        return new NetworkHost(holder, address);
    }

    private void connect() throws IOException {
        ip("address add " + address + "/24 dev " + INTERFACE);
        ip("link set " + INTERFACE + " up");
        ip("route add default dev " + INTERFACE);
    }

    private void ip(String arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments.split(" ", -1)));
        Process process = new ProcessBuilder(enter(command)).redirectErrorStream(true).start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                String said = String.join(" ", process.inputReader().lines().toList());
                throw new IOException("ip " + arguments + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted during ip " + arguments, e);
        }
    }

    /** {@return the command that runs a command on this host, in the same process} */
    public List<String> enter(List<String> command) {
        List<String> all = new ArrayList<>();
        all.addAll(List.of("nsenter", "--target", Long.toString(holder.pid())));
        all.addAll(List.of("--net", "--uts", "--mount", "--"));
        all.addAll(command);
        return all;
    }

    /** {@return the address of this host} */
    public String address() {
        return address;
    }

    /** End the host; its processes continue without a link to the other. */
    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
