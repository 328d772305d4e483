package org.gradwire.conformance.network;

import org.gradwire.conformance.harness.Place;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A host of its own for the processes in it: with a network, a name and a {@code /dev/shm} that no
 * other one has. It is made of Linux namespaces, which a process holds; with that, at the latest at
 * the end of this JVM, and with the processes in them they are gone.
 */
final class Host implements Place, AutoCloseable {
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
     * Start one.
     *
     * @param address that it is going to have
     * @throws IOException when the system does not permit it
     */
    static Host start(String name, String address) throws IOException {
        Process holder =
                new ProcessBuilder("unshare", "--net", "--uts", "--mount", "sh", "-c", SET_UP, name)
                        .redirectErrorStream(true)
                        .start();
        String said = holder.inputReader().readLine();
        if (!"ready".equals(said)) {
            holder.destroyForcibly();
            throw new IOException("no namespaces for " + name + ": " + said);
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

    /** Join this host and another one by a wire, whose end here gets the host's address. */
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
