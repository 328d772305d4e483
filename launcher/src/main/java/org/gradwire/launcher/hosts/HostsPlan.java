package org.gradwire.launcher.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of a group on several hosts.
 *
 * @param hosts in the sequence of the ranks
 * @param workers on a host for which the list has no number
 * @param address of the rendezvous, on the first host
 * @param port of the rendezvous; 0 for one that is free on the first host
 * @param ssh command that runs another one on a host, without the host
 * @param directory of Gradwire on each host
 * @param folder to start in, where a host has it
 * @param options of each launcher
 * @param program with its arguments
 * @param secure whether workers get certificates
 * @param grace time from SIGTERM to SIGKILL of a worker
 * @param timeout of the whole run; empty for no limit
 */
public record HostsPlan(
        List<Host> hosts,
        int workers,
        String address,
        int port,
        List<String> ssh,
        String directory,
        String folder,
        List<String> options,
        List<String> program,
        boolean secure,
        Duration grace,
        Optional<Duration> timeout) {
    private static final String SCRIPT = "start-on-host.sh";
    // The first value of an option counts, so that of the user's command.
    private static final List<String> SSH_OPTIONS =
            List.of(
                    "-T",
                    "-oBatchMode=yes",
                    "-oConnectTimeout=15",
                    "-oServerAliveInterval=10",
                    "-oServerAliveCountMax=3",
                    "--");
    // A terminal sends its signals to ssh too, through which the workers' last lines still come.
    private static final List<String> WITHOUT_SIGNALS =
            List.of("/bin/sh", "-c", "trap '' HUP INT QUIT; exec \"$@\"", "gradwire-ssh");

    /** Create a plan. */
    public HostsPlan {
        hosts = List.copyOf(hosts);
        ssh = List.copyOf(ssh);
        options = List.copyOf(options);
        program = List.copyOf(program);
    }

    /** {@return the number of workers on all hosts} */
    public long worldSize() {
        return hosts.stream().mapToLong(this::workersOn).sum();
    }

    private int workersOn(Host host) {
        return host.workers().orElse(workers);
    }

    private long rankOffset(int index) {
        return hosts.subList(0, index).stream().mapToLong(this::workersOn).sum();
    }

    /** {@return the command that starts the launcher of a host} */
    List<String> command(int index) throws IOException {
        List<String> remote = new ArrayList<>(List.of("sh", "-c", script(), SCRIPT));
        remote.addAll(List.of(directory, folder));
        remote.addAll(List.of("--part-of", address));
        remote.addAll(List.of("--workers", "" + workersOn(hosts.get(index))));
        remote.addAll(List.of("--rank-offset", "" + rankOffset(index)));
        remote.addAll(List.of("--world-size", "" + worldSize()));
        remote.addAll(options);
        remote.add("--");
        remote.addAll(program);
        List<String> command = new ArrayList<>(WITHOUT_SIGNALS);
        command.addAll(ssh);
        command.addAll(SSH_OPTIONS);
        command.add(hosts.get(index).destination());
        command.add("exec " + ShellQuote.join(remote));
        return command;
    }

    private static String script() throws IOException {
        try (InputStream stream = HostsPlan.class.getResourceAsStream(SCRIPT)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
