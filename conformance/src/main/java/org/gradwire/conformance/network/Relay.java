package org.gradwire.conformance.network;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Program that relays frames between two interfaces and injects faults.
 *
 * <p>Reads commands and answers each with a line: {@code cut} drops all frames, {@code heal} ends
 * the cut, {@code figures} prints how many frames have entered, were lost and were cut off, {@code
 * record FILE} begins a {@link Recording}, which {@code recorded} ends. Ends with its input.
 */
final class Relay {
    private static final int LONGEST_SLEEP_MILLIS = 20;
    private static final int FRAMES_AT_A_TIME = 64;

    private final List<PacketSocket> sockets;
    private final DelayLine<Frame> line;
    private final AtomicLong entered = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong cutOff = new AtomicLong();
    private final Object recordingLock = new Object();
    private @Nullable Recording recording; // guarded by its lock
    private volatile boolean isCut;

    private record Frame(PacketSocket to, byte[] bytes) {}

    private Relay(List<PacketSocket> sockets, LinkFaults faults) {
        this.sockets = sockets;
        line = new DelayLine<>(faults);
    }

    /**
     * Relay frames.
     *
     * @param args the two interfaces, then the arguments of {@link LinkFaults}
     */
    public static void main(String[] args) throws IOException {
        List<String> words = List.of(args);
        var sockets = List.of(PacketSocket.open(words.get(0)), PacketSocket.open(words.get(1)));
        var relay = new Relay(sockets, LinkFaults.parse(words.subList(2, words.size())));
        Thread.ofPlatform().daemon().name("relay").start(relay::carry);
        IO.println("ready");
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String word = input.readLine(); word != null; word = input.readLine()) {
            IO.println(word + " " + relay.obey(word));
        }
    }

    private String obey(String line) throws IOException {
        String[] words = line.split(" ", 2);
        return switch (words[0]) {
            case "cut" -> {
                isCut = true;
                yield "done";
            }
            case "heal" -> {
                isCut = false;
                yield "done";
            }
            case "figures" -> "%s %s %s".formatted(entered, lost, cutOff);
            case "record" -> record(Recording.to(Path.of(words[1])));
            case "recorded" -> record(null);
            default -> throw new IllegalArgumentException("unknown command '" + line + "'");
        };
    }

    private String record(@Nullable Recording next) throws IOException {
        synchronized (recordingLock) {
            if (recording != null) {
                recording.close();
            }
            recording = next;
        }
        return "done";
    }

    private void carry() {
        try {
            while (true) {
                PacketSocket.await(sockets, sleepMillis());
                receive(sockets.get(0), sockets.get(1));
                receive(sockets.get(1), sockets.get(0));
                deliver();
            }
        } catch (IOException e) {
            IO.println("the relay has failed: " + e);
        }
    }

    private int sleepMillis() {
        long nanos = Math.max(0, line.untilNext(System.nanoTime()));
        return (int) Math.min(LONGEST_SLEEP_MILLIS, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    private void receive(PacketSocket from, PacketSocket to) throws IOException {
        for (int i = 0; i < FRAMES_AT_A_TIME; i++) {
            byte[] bytes = from.read();
            if (bytes.length == 0) {
                return;
            }
            entered.incrementAndGet();
            synchronized (recordingLock) {
                if (recording != null) {
                    recording.add(bytes);
                }
            }
            line.enter(new Frame(to, bytes), System.nanoTime());
        }
    }

    private void deliver() throws IOException {
        lost.set(line.lost());
        while (line.untilNext(System.nanoTime()) <= 0) {
            Frame frame = line.take();
            if (isCut) {
                cutOff.incrementAndGet();
            } else {
                frame.to.write(frame.bytes);
            }
        }
    }
}
