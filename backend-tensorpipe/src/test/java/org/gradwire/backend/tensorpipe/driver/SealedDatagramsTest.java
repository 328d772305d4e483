package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A log between two media drivers, with an attacker between them. */
class SealedDatagramsTest {
    private static final String MARKER = "org.example.Secret#function";
    private static final int MESSAGES = 2_000;
    private static final long SELDOM = 1L << 36;
    private static final int HEADER = 16;
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    @TempDir Path folder;

    private SealedSide writer;
    private SealedSide reader;
    private Subscription subscription;
    private DatagramRelay relay;
    private InetSocketAddress own;

    @BeforeEach
    void start() throws Exception {
        writer = new SealedSide(folder.resolve("writer"));
        reader = new SealedSide(folder.resolve("reader"));
        subscription = reader.listen();
        own = SealedSide.address(reader.await(subscription::resolvedEndpoint));
        relay = new DatagramRelay(own);
    }

    @AfterEach
    void end() throws Exception {
        relay.close();
        writer.close();
        reader.close();
    }

    private ExclusivePublication connect(int pair, long rekeyBytes) throws Exception {
        PairSecret secret = SealedSide.secret(pair, true);
        writer.handOver(secret, ANY, rekeyBytes);
        reader.handOver(SealedSide.secret(pair, false), own, rekeyBytes);
        return writer.write(relay.port(), reader.stream(), secret);
    }

    private static byte[] message(int number) {
        byte[] bytes = new byte[200 + number * 37 % 900];
        byte[] marker = MARKER.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(marker, 0, bytes, 4, marker.length);
        ByteBuffer.wrap(bytes).putInt(0, number);
        return bytes;
    }

    /** Send messages, and check that each arrives once, whole and in sequence. */
    private void assertArrive(ExclusivePublication publication, int messages) {
        var arrived = new AtomicInteger();
        int sent = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (arrived.get() < messages) {
            byte[] next = message(sent);
            if (sent < messages && publication.offer(new UnsafeBuffer(next), 0, next.length) > 0) {
                sent++;
            }
            subscription.poll(
                    (buffer, offset, length, _) -> {
                        byte[] bytes = new byte[length];
                        buffer.getBytes(offset, bytes);
                        byte[] expected = message(arrived.getAndIncrement());
                        assertEquals(
                                HexFormat.of().formatHex(expected),
                                HexFormat.of().formatHex(bytes));
                    },
                    64);
            writer.serve();
            reader.serve();
            assertTrue(System.nanoTime() - deadline < 0, arrived + " arrived of " + sent);
        }
        assertEquals(1, subscription.imageCount());
    }

    private List<byte[]> captured() {
        List<byte[]> all = new ArrayList<>(relay.fromWriter);
        all.addAll(relay.fromReader);
        return all;
    }

    @Test
    void theWireShowsNothingAndNoNumberTwice() throws Exception {
        assertArrive(connect(1, SELDOM), MESSAGES);
        assertTrue(relay.fromWriter.size() > 100 && relay.fromReader.size() > 2);
        byte[] stream = new byte[4];
        ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).putInt(reader.stream());
        String streamText = new String(stream, StandardCharsets.ISO_8859_1);
        for (byte[] datagram : captured()) {
            String text = new String(datagram, StandardCharsets.ISO_8859_1);
            assertFalse(text.contains(MARKER.substring(0, 6)) || text.contains(streamText));
            assertTrue(datagram.length <= 1408, "longer than the MTU: " + datagram.length);
        }
        assertNumbersDiffer(captured());
        assertEquals(0, reader.refused());
        assertEquals(0, writer.refused());
    }

    private static void assertNumbersDiffer(List<byte[]> datagrams) {
        Set<String> headers = new HashSet<>();
        for (byte[] datagram : datagrams) {
            headers.add(HexFormat.of().formatHex(datagram, 2, HEADER));
        }
        assertEquals(datagrams.size(), headers.size(), "a number was used twice");
    }

    @Test
    void eachChangedByteOfEachKindOfDatagramIsRefused() throws Exception {
        var injected = new AtomicInteger();
        Map<String, Integer> kinds = new HashMap<>();
        relay.attack((isFromWriter, datagram) -> {
            String kind = isFromWriter + " " + datagram.length; // what they are cannot be seen
            List<byte[]> instead = new ArrayList<>();
            synchronized (kinds) {
                if (kinds.size() < 12 && kinds.merge(kind, 1, Integer::sum) == 1) {
                    for (int i = 0; i < datagram.length; i++) {
                        byte[] changed = datagram.clone();
                        changed[i] ^= (byte) (1 << i % 8);
                        instead.add(changed);
                    }
                    injected.addAndGet(datagram.length);
                }
            }
            instead.add(datagram);
            return instead;
        });
        assertArrive(connect(1, SELDOM), MESSAGES);
        assertTrue(kinds.size() > 4, kinds.toString());
        assertTrue(kinds.keySet().stream().anyMatch(kind -> kind.startsWith("false")));
        // A socket whose buffer is full drops some of them before.
        long refused = writer.refused() + reader.refused();
        assertTrue(refused > 100 && refused <= injected.get() + kinds.size(), "" + refused);
    }

    @Test
    void lossRepetitionAndReorderingAreAeronsConcern() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        List<byte[]> held = new ArrayList<>();
        relay.attack((isFromWriter, datagram) -> {
            synchronized (random) {
                int chance = random.nextInt(20);
                if (chance == 0) {
                    return List.of(); // dropped
                }
                if (chance < 3) {
                    return List.of(datagram, datagram);
                }
                if (isFromWriter && chance < 6) {
                    held.add(datagram);
                    return List.of();
                }
                List<byte[]> all = new ArrayList<>(List.of(datagram));
                if (isFromWriter) {
                    all.addAll(held);
                    held.clear();
                }
                return all;
            }
        });
        assertArrive(connect(1, SELDOM), 500);
        assertTrue(reader.refused() > 0, "what came twice is counted");
        assertNumbersDiffer(captured());
    }

    @Test
    void keysChangeUnderLoadAndLoss() throws Exception {
        var random = new Random(7);
        relay.attack((_, datagram) -> {
            synchronized (random) {
                return random.nextInt(50) == 0 ? List.of() : List.of(datagram);
            }
        });
        assertArrive(connect(1, 100_000), MESSAGES);
        Set<Integer> epochs = new HashSet<>();
        relay.fromWriter.forEach(datagram -> epochs.add((int) datagram[2]));
        assertTrue(epochs.size() > 8, epochs.toString());
        assertNumbersDiffer(captured());
        assertEquals(0, reader.refused());
    }

    @Test
    void datagramsOfAnEarlierSessionAreRefused() throws Exception {
        ExclusivePublication earlier = connect(1, SELDOM);
        assertArrive(earlier, 300);
        List<byte[]> recorded = List.copyOf(relay.fromWriter);
        List<byte[]> recordedOfReader = List.copyOf(relay.fromReader);
        earlier.close();
        reader.await(() -> subscription.imageCount() == 0 ? true : null);
        ExclusivePublication restarted = connect(2, SELDOM);
        assertArrive(restarted, 300);
        for (byte[] datagram : recorded) {
            relay.sendToReader(datagram);
        }
        for (byte[] datagram : recordedOfReader) {
            relay.sendToWriter(datagram);
        }
        reader.await(() -> reader.refused() >= recorded.size() / 2 ? true : null);
        writer.await(() -> writer.refused() > 0 ? true : null);
        assertArrive(restarted, 300);
    }

    @Test
    void plainDatagramsAndThoseOfStrangersReachNothing() throws Exception {
        ExclusivePublication publication = connect(1, SELDOM);
        assertArrive(publication, 100);
        long before = reader.refused();
        for (int type = 0; type < 16; type++) {
            byte[] plain = new byte[64];
            ByteBuffer frame = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
            frame.putInt(0, 40).putShort(6, (short) type);
            for (int offset = 8; offset <= 16; offset += 4) {
                frame.putInt(offset, offset == 8 ? publication.sessionId() : reader.stream());
            }
            relay.sendToReader(plain);
            relay.sendToWriter(plain);
            frame.put(4, (byte) 1); // as if it were sealed, with an unknown key
            frame.putShort(0, (short) 64);
            relay.sendToReader(plain);
            relay.sendToWriter(plain);
        }
        reader.await(() -> reader.refused() >= before + 32 ? true : null);
        writer.await(() -> writer.refused() >= 32 ? true : null);
        assertArrive(publication, 100);
    }

    /** Fail closed: a log to a sealed stream is never sent in plain text. */
    @Test
    void withoutKeysNothingIsSent() throws Exception {
        PairSecret secret = SealedSide.secret(3, true);
        ExclusivePublication publication = writer.write(relay.port(), reader.stream(), secret);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        while (System.nanoTime() - end < 0) {
            writer.serve();
        }
        assertFalse(publication.isConnected());
        assertEquals(List.of(), captured());
        writer.handOver(secret, ANY, SELDOM);
        reader.handOver(SealedSide.secret(3, false), own, SELDOM);
        assertArrive(publication, 100);
    }

    /** The second log continues the numbers of the first, since the keys are the same. */
    @Test
    void aLogThatIsClosedAndOpenedAgainUsesNoNumberTwice() throws Exception {
        ExclusivePublication first = connect(1, SELDOM);
        assertArrive(first, 100);
        first.close();
        reader.await(() -> subscription.imageCount() == 0 ? true : null);
        int before = relay.fromWriter.size();
        @Nullable ExclusivePublication second = null;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (second == null) {
            assertTrue(System.nanoTime() - deadline < 0);
            try {
                second = writer.write(relay.port(), reader.stream(), SealedSide.secret(1, true));
            } catch (io.aeron.exceptions.RegistrationException _) {
                writer.serve(); // the first one is still being closed
            }
        }
        assertNotNull(second);
        writer.await(() -> relay.fromWriter.size() > before ? true : null);
        assertNumbersDiffer(captured());
    }
}
