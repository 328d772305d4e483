package org.gradwire.conformance.network;

import org.gradwire.conformance.harness.JavaCommand;
import org.gradwire.conformance.harness.Place;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Two hosts on this machine and the network between them, whose faults are known and which can be
 * cut. It needs Linux and the rights to make namespaces. For one thread; closing ends the network,
 * not the processes on its hosts.
 */
public final class Network implements AutoCloseable {
    /** Runs what ends a relay that does not answer in time. */
    private static final Executor PATIENCE =
            CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS);

    private final List<Host> hosts;
    private final Process relay;
    private final Writer words;
    private final BufferedReader answers;

    /**
     * What a network has carried.
     *
     * @param entered frames that hosts have sent
     * @param lost of these by chance
     * @param cutOff of these by a cut
     */
    public record Figures(long entered, long lost, long cutOff) {}

    private Network(List<Host> hosts, Process relay) {
        this.hosts = hosts;
        this.relay = relay;
        words = relay.outputWriter(StandardCharsets.UTF_8);
        answers = relay.inputReader(StandardCharsets.UTF_8);
    }

    /** {@return why there can be no network on this machine, empty if it can} */
    public static String obstacle() {
        List<Host> hosts = new ArrayList<>();
        try {
            startHosts(hosts);
            return "";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } finally {
            hosts.forEach(Host::close);
        }
    }

    /** Start the hosts and what carries frames between them. */
    public static Network start(LinkFaults faults) throws IOException {
        List<Host> hosts = new ArrayList<>();
        Process relay = null;
        try {
            startHosts(hosts);
            List<String> command = relayCommand(faults);
            relay =
                    new ProcessBuilder(hosts.getFirst().enter(command))
                            .redirectErrorStream(true)
                            .start();
            var network = new Network(hosts, relay);
            network.await("ready");
            return network;
        } catch (IOException | RuntimeException | Error e) {
            hosts.forEach(Host::close);
            if (relay != null) {
                relay.destroyForcibly();
            }
            throw e;
        }
    }

    private static void startHosts(List<Host> hosts) throws IOException {
        hosts.add(Host.start("between", ""));
        hosts.add(Host.start("left", "10.77.0.1"));
        hosts.add(Host.start("right", "10.77.0.2"));
        hosts.get(1).wireTo(hosts.getFirst(), "left");
        hosts.get(2).wireTo(hosts.getFirst(), "right");
    }

    private static List<String> relayCommand(LinkFaults faults) {
        String access = "--enable-native-access=" + Network.class.getModule().getName();
        List<String> command = JavaCommand.of(List.of("-Xmx64m", access), Relay.class);
        command.addAll(List.of("left", "right"));
        command.addAll(faults.words());
        return command;
    }

    /** {@return one host} */
    public Place left() {
        return hosts.get(1);
    }

    /** {@return the other host} */
    public Place right() {
        return hosts.get(2);
    }

    /** Let nothing pass from now on. */
    public void cut() {
        tell("cut");
    }

    /** Let pass again what is to arrive from now on. */
    public void heal() {
        tell("heal");
    }

    /** {@return what it has carried so far} */
    public Figures figures() {
        long[] all = Arrays.stream(tell("figures").split(" ")).mapToLong(Long::parseLong).toArray();
        return new Figures(all[0], all[1], all[2]);
    }

    private String tell(String word) {
        try {
            words.write(word + "\n");
            words.flush();
            return await(word);
        } catch (IOException e) {
            throw new AssertionError("the network does not do '" + word + "'", e);
        }
    }

    private String await(String word) throws IOException {
        List<String> seen = new ArrayList<>();
        CompletableFuture<Void> late = CompletableFuture.runAsync(relay::destroyForcibly, PATIENCE);
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                seen.add(line);
                if (line.equals(word) || line.startsWith(word + " ")) {
                    return line.substring(word.length()).strip();
                }
            }
        } finally {
            late.cancel(false);
        }
        throw new IOException("the relay has ended; it said: " + String.join("\n", seen));
    }

    @Override
    public void close() {
        relay.destroyForcibly();
        hosts.forEach(Host::close);
    }
}
