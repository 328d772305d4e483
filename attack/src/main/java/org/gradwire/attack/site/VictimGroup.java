package org.gradwire.attack.site;

import org.gradwire.attack.intruder.InputCounts;
import org.gradwire.attack.intruder.Intruder;
import org.gradwire.attack.intruder.Target;
import org.gradwire.attack.victim.Guest;
import org.gradwire.attack.victim.HonestClient;
import org.gradwire.attack.victim.HonestClientReport;
import org.gradwire.attack.victim.Unmarked;
import org.gradwire.attack.victim.Victim;
import org.gradwire.spi.process.FreePort;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A group of a victim and an honest client, each in its own process, with a media driver. */
public final class VictimGroup implements AutoCloseable {
    /** The name of the attacked worker. */
    public static final String VICTIM = "victim";

    /** The name of the honest client. */
    public static final String CLIENT = "client";

    private static final String TOKEN_VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN";
    private static final Duration START_TIME = Duration.ofSeconds(60);
    private static final Duration REPORT_TIME = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final int RANKS_OF_AN_ATTACKER = 1000;
    private static final int FIRST_GUEST = 2;

    private final Wiring wiring;
    private final Path folder;
    private final Path directory;
    private final String token = UUID.randomUUID().toString();
    private final @Nullable TwoHosts hosts;
    private final @Nullable GroupCertificates certificates;
    private final int storePort;
    private final List<Child> children = new ArrayList<>();
    private final Child victim;
    private final Child client;
    private final Probe probe;
    private int attackers;
    private int guests;

    /**
     * Start the group; the victim serves on return.
     *
     * @param folder for logs and files of attackers
     */
    public VictimGroup(Wiring wiring, Path folder) throws IOException {
        this.wiring = wiring;
        this.folder = Files.createDirectories(folder);
        directory = Path.of("/dev/shm", "gradwire-attack-" + UUID.randomUUID());
        hosts = wiring == Wiring.TWO_HOSTS ? TwoHosts.start() : null;
        certificates =
                wiring.hasCertificates()
                        ? GroupCertificates.create(folder.resolve("certificates"))
                        : null;
        storePort = FreePort.choose();
        try {
            victim = worker(Victim.class, VICTIM, 0, List.of("-Xmx512m"));
            victim.await(Victim.READY, START_TIME);
            client = worker(HonestClient.class, CLIENT, 1, List.of("-Xmx128m"));
            client.await(Victim.READY, START_TIME);
        } catch (IOException e) {
            close();
            throw e;
        }
        probe = new Probe(victim.process().pid(), victim.log(), directory);
    }

    private Child worker(Class<?> program, String name, int rank, List<String> flags)
            throws IOException {
        if (certificates != null) {
            var _ = certificates.renew(name, GroupCertificates.LONG);
        }
        return start(program, name, rank, flags, name);
    }

    /** Start a worker, whose certificate is issued if the group has certificates. */
    private Child start(Class<?> program, String name, int rank, List<String> flags, String log)
            throws IOException {
        Map<String, String> environment = new HashMap<>(environment(name, rank));
        environment.putAll(
                certificates == null
                        ? Map.of(TOKEN_VARIABLE, token)
                        : certificates.environment(name));
        environment.put("GRADWIRE_TENSORPIPE_DIRECTORY", directory.toString());
        List<String> command = Commands.java(program, flags, List.of());
        return child(log, hosts == null ? command : hosts.onFirst(command), environment);
    }

    private Map<String, String> environment(String name, int rank) {
        Map<String, String> environment = new HashMap<>();
        environment.put("GRADWIRE_NAME", name);
        environment.put("GRADWIRE_RANK", Integer.toString(rank));
        environment.put("GRADWIRE_RENDEZVOUS", "tcp://" + host() + ":" + storePort);
        environment.put("GRADWIRE_TENSORPIPE_CONNECT_TIMEOUT", "20s");
        environment.putAll(wiring.environment());
        return environment;
    }

    private Child child(String name, List<String> command, Map<String, String> environment)
            throws IOException {
        var child = new Child(command, environment, folder.resolve(name + ".log"));
        children.add(child);
        return child;
    }

    private String host() {
        return hosts == null ? "127.0.0.1" : TwoHosts.FIRST_ADDRESS;
    }

    /** {@return whether the victim runs} */
    public boolean isAlive() {
        return victim.isAlive();
    }

    /** {@return whether the victim has run code that is not remotely callable} */
    public boolean ranUnmarkedCode() throws IOException {
        return Files.readString(victim.log()).contains(Unmarked.TRACE);
    }

    /** {@return the victim's metrics after a full collection} */
    public VictimMetrics victimMetrics() throws IOException {
        return probe.measure();
    }

    /** {@return the outcomes of the client's calls since the last report} */
    public HonestClientReport report() throws IOException {
        client.say("report");
        return HonestClientReport.parse(client.await("", REPORT_TIME));
    }

    /**
     * Run one attacker to its end.
     *
     * @param attacker its name
     * @throws IOException when it cannot run here, with the reason
     */
    public InputCounts attack(String attacker, Origin origin, long seed, long inputs, Duration time)
            throws IOException {
        int number = attackers++;
        Target target = target(number);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                attacker,
                                Long.toString(seed),
                                Long.toString(inputs),
                                Long.toString(time.toSeconds())));
        arguments.addAll(target.arguments());
        List<String> flags = new ArrayList<>(List.of("-Xmx768m"));
        flags.addAll(openedForFrames());
        Child child =
                child(
                        "attacker-%d-%s".formatted(number, attacker),
                        placed(origin, Commands.java(Intruder.class, flags, arguments)),
                        attackerEnvironment(origin, target.rank()));
        try (child) {
            InputCounts inputCounts =
                    InputCounts.parse(child.await(Intruder.RESULT, time.plus(GRACE)));
            if (child.process().onExit().join().exitValue() != 0) {
                throw new IOException("attacker failed; see " + child.log());
            }
            return inputCounts;
        }
    }

    /**
     * Run an honest worker, which joins and calls the victim.
     *
     * @throws IOException when it cannot join or call
     */
    public void join() throws IOException {
        var _ = attack(Intruder.JOINER, Origin.MEMBER, 1, 1, START_TIME);
    }

    /**
     * {@return the certificates of the group}
     *
     * @throws IllegalStateException when it has none
     */
    public GroupCertificates certificates() {
        if (certificates == null) {
            throw new IllegalStateException("a group over " + wiring + " has no certificates");
        }
        return certificates;
    }

    /**
     * Wait until the log of the victim or the client has a text.
     *
     * @throws IOException when it does not in time
     */
    public void awaitLogged(String worker, String text, Duration time) throws IOException {
        (worker.equals(VICTIM) ? victim : client).awaitLogged(text, time);
    }

    /** {@return a new name of a guest} */
    public String newGuest() {
        return "guest" + guests++;
    }

    /** Start a guest, whose certificate is issued. */
    public Member startGuest(String name) throws IOException {
        int rank = FIRST_GUEST + guests++; // below those of attackers
        return new Member(start(Guest.class, name, rank, List.of("-Xmx128m"), name + "-" + rank));
    }

    /** {@return flags that let an attacker access its agent's publications} */
    private static List<String> openedForFrames() {
        return ModuleLayer.boot().findModule("org.gradwire.backend.tensorpipe").stream()
                .flatMap(module ->
                        module.getPackages().stream()
                                .map(name ->
                                        "--add-opens=%s/%s=org.gradwire.attack"
                                                .formatted(module.getName(), name)))
                .toList();
    }

    private Target target(int number) throws IOException {
        long pid = victim.process().pid();
        List<Integer> udp = new ArrayList<>(Ports.udp(pid));
        for (long driver : MediaDrivers.of(directory)) {
            udp.addAll(Ports.udp(driver));
        }
        Path scratch = Files.createDirectories(folder.resolve("scratch-" + number));
        return new Target(
                host(),
                storePort,
                Ports.tcp(pid),
                udp,
                directory,
                pid,
                (number + 1) * RANKS_OF_AN_ATTACKER,
                scratch);
    }

    private Map<String, String> credentials(String attacker) throws IOException {
        if (certificates == null) {
            return Map.of(TOKEN_VARIABLE, token);
        }
        var _ = certificates.renew(attacker, GroupCertificates.LONG);
        return certificates.environmentOfNewcomer(attacker);
    }

    private Map<String, String> attackerEnvironment(Origin origin, int rank) throws IOException {
        Map<String, String> environment = new HashMap<>(environment("intruder", rank));
        if (origin.hasToken()) {
            environment.putAll(credentials(Target.nameOf(rank)));
        }
        if (!origin.isRemote()) {
            environment.put("GRADWIRE_TENSORPIPE_DIRECTORY", directory.toString());
        } else {
            environment.put("GRADWIRE_TENSORPIPE_DIRECTORY", directory + "-second-host");
        }
        return environment;
    }

    private List<String> placed(Origin origin, List<String> command) throws IOException {
        if (origin.isRemote()) {
            if (hosts == null) {
                throw new IllegalStateException(
                        "an attacker on a second host needs a group on two hosts");
            }
            return hosts.onSecond(command);
        }
        List<String> here = hosts == null ? command : hosts.onFirst(command);
        return origin == Origin.OTHER_USER ? OtherUser.running(here) : here;
    }

    @Override
    public void close() {
        children.forEach(Child::close);
        if (hosts != null) {
            hosts.close();
        }
        Directories.delete(directory);
        Directories.delete(Path.of(directory + "-second-host"));
    }
}
