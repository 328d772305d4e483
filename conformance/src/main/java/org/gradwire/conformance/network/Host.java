package org.gradwire.conformance.network;

import org.gradwire.conformance.harness.ProcessHost;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A simulated host: Linux namespaces with their own network, host name and {@code /dev/shm}, held
 * by a process. When that process ends, no later than this JVM, the namespaces and all processes in
 * them end.
 */
final class Host implements ProcessHost, AutoCloseable {
    private static final String SET_UP =
            "echo $0 > /proc/sys/kernel/hostname && mount -t tmpfs tmpfs /dev/shm"
                    + " && ip link set lo up && echo ready && exec cat";
    private static final long PATIENCE_SECONDS = 10;

    private final Process holder;
    private final String address;

    private Host(Process holder, String address) {
        this.holder = holder;
        this.address = address;
    }

    /**
     * Start a host.
     *
     * @param address its future address
     * @throws IOException if the system denies it
     */
    static Host start(String name, String address) throws IOException {
        Process holder =
                new ProcessBuilder("unshare", "--net", "--uts", "--mount", "sh", "-c", SET_UP, name)
                        .redirectErrorStream(true)
                        .start();
        String said = holder.inputReader().readLine();
        if (!"ready".equals(said)) {
            holder.destroyForcibly();
            throw new IOException("cannot create namespaces for " + name + ": " + said);
        }
        return new Host(holder, address);
    }

    @Override
    public List<String> enter(List<String> command) {
        List<String> all = new ArrayList<>();
        all.addAll(List.of("nsenter", "--target", Long.toString(holder.pid())));
        all.addAll(List.of("--net", "--uts", "--mount", "--"));
        all.addAll(command);
        return all;
    }

    @Override
    public String address() {
        return address;
    }

    /** Connect this host to another one by a veth pair; this end gets the host's address. */
    void wireTo(Host other, String interfaceThere) throws IOException {
        ip(
                "link add eth0 type veth peer name %s netns %d"
                        .formatted(interfaceThere, other.holder.pid()));
        ip("address add " + address + "/24 dev eth0");
        ip("link set eth0 up");
        ip("route add default dev eth0");
        other.ip("link set " + interfaceThere + " up");
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
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
