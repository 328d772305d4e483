package org.gradwire.conformance.network;

import org.gradwire.conformance.harness.JavaCommand;
import org.gradwire.conformance.harness.ProcessHost;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Two simulated hosts on this machine, and a faulty network between them that can be cut. Needs
 * Linux and the right to create namespaces. Confined to one thread; closing ends the network, not
 * the processes on its hosts.
 */
public final class Network implements AutoCloseable {
    /** Runs the task that kills a relay that does not answer in time. */
    private static final Executor PATIENCE =
            CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS);

    private final List<Host> hosts;
    private final Process relay;
    private final Writer words;
    private final BufferedReader answers;

    /**
     * Frame counts of a network.
     *
     * @param entered frames sent by hosts
     * @param lost frames lost at random
     * @param cutOff frames dropped during a cut
     */
    public record Figures(long entered, long lost, long cutOff) {}

    private Network(List<Host> hosts, Process relay) {
        this.hosts = hosts;
        this.relay = relay;
        words = relay.outputWriter(StandardCharsets.UTF_8);
        answers = relay.inputReader(StandardCharsets.UTF_8);
    }

    /** {@return why this machine cannot simulate a network; empty if it can} */
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

    /** Start the hosts and the relay between them. */
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
    public ProcessHost left() {
        return hosts.get(1);
    }

    /** {@return the other host} */
    public ProcessHost right() {
        return hosts.get(2);
    }

    /** Cut the network. */
    public void cut() {
        tell("cut");
    }

    /** Restore the network after a cut. */
    public void heal() {
        tell("heal");
    }

    /** {@return the frame counts so far} */
    public Figures figures() {
        long[] all = Arrays.stream(tell("figures").split(" ")).mapToLong(Long::parseLong).toArray();
        return new Figures(all[0], all[1], all[2]);
    }

    /**
     * Record all frames of both hosts during a task.
     *
     * @param file for the frames; overwritten
     * @return the frames, with their headers
     */
    public List<byte[]> record(Path file, Runnable task) throws IOException {
        tell("record " + file);
        task.run();
        tell("recorded");
        return Recording.frames(file);
    }

    private String tell(String word) {
        try {
            words.write(word + "\n");
            words.flush();
            return await(word);
        } catch (IOException e) {
            throw new AssertionError("the relay did not answer the command '" + word + "'", e);
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
        throw new IOException("the relay has ended; its output: " + String.join("\n", seen));
    }

    @Override
    public void close() {
        relay.destroyForcibly();
        hosts.forEach(Host::close);
    }
}
