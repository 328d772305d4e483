package org.gradwire.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Hosts of the members of a group: this machine, or two network namespaces of it. */
public final class MemberPlaces {
    private static final String DIRECTORY = "gradwire.tensorpipe.directory=/dev/shm/";
    private static final int FIRST_PORT = 29_600;
    private static final int FIRST_GLOO_PORT = 29_700;

    private final List<NetworkHost> hosts;

    private MemberPlaces(List<NetworkHost> hosts) {
        this.hosts = List.copyOf(hosts);
    }

    public static MemberPlaces onThisHost() {
        return new MemberPlaces(List.of());
    }

    /** Return places of which the first host has the first half of the members. */
    public static MemberPlaces onHosts(List<NetworkHost> hosts) {
        return new MemberPlaces(hosts);
    }

    /** {@return the command that runs the command of a member on its host} */
    public List<String> enter(int rank, int members, List<String> command) {
        return hosts.isEmpty() ? command : hosts.get(rank * hosts.size() / members).enter(command);
    }

    /** {@return settings of Gradwire's members, those of one host under one media driver} */
    public List<String> settings(int members) {
        long own = ProcessHandle.current().pid();
        List<String> settings = new ArrayList<>();
        settings.add(DIRECTORY + "gradwire-collectives-%d-%d".formatted(own, members));
        if (!hosts.isEmpty()) {
            settings.addAll(NetworkHost.PLAIN);
        }
        return settings;
    }

    /** {@return the rendezvous of Gradwire's members} */
    public String meeting(Path folder, int members) {
        return hosts.isEmpty()
                ? folder.resolve("meeting" + members).toUri().toString()
                : "tcp://%s:%d".formatted(hosts.getFirst().address(), FIRST_PORT + members);
    }

    /** {@return the address at which gloo's members meet} */
    public String glooMeeting(int members) throws IOException {
        return hosts.isEmpty()
                ? "127.0.0.1:" + Ports.free()
                : "%s:%d".formatted(hosts.getFirst().address(), FIRST_GLOO_PORT + members);
    }

    /** {@return the network interface of the members} */
    public String networkInterface() {
        return hosts.isEmpty() ? "lo" : NetworkHost.INTERFACE;
    }
}
