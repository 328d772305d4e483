package org.gradwire.backend.tensorpipe.driver;

import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.World;
import org.gradwire.backend.tensorpipe.address.ExpectedSources;
import org.gradwire.backend.tensorpipe.address.HostAddress;
import org.gradwire.backend.tensorpipe.address.NetworkAddress;
import org.gradwire.backend.tensorpipe.address.WorkerAddress;
import org.gradwire.spi.DecodingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Frames over UDP are accepted only from the sources that a worker expects. */
class SourceFilterTest {
    private static final int TERM = 1 << 20;
    private static final int STREAM = 7;
    private static final long FORGET = 1_000_000;
    private static final InetSocketAddress FRIEND = at("192.0.2.1", 4000);
    private static final InetSocketAddress STRANGER = at("192.0.2.2", 4000);

    @TempDir Path folder;

    private final SourceFilter filter =
            new SourceFilter(
                    () -> ExpectedSources.of(STREAM, TERM, List.of(FRIEND.getAddress())), FORGET);

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    private static SetupFlyweight setup(int stream, int session, int term, int mtu) {
        var setup = new SetupFlyweight();
        setup.wrap(new UnsafeBuffer(new byte[SetupFlyweight.HEADER_LENGTH]));
        setup.sessionId(session).streamId(stream).termLength(term).mtuLength(mtu);
        setup.version(HeaderFlyweight.CURRENT_VERSION)
                .headerType(HeaderFlyweight.HDR_TYPE_SETUP)
                .frameLength(SetupFlyweight.HEADER_LENGTH);
        return setup;
    }

    @Test
    void aSessionKeepsTheSourceOfItsSetup() {
        assertTrue(filter.acceptsSetup(setup(STREAM, 1, TERM, 1408), FRIEND, 0));
        assertTrue(filter.accepts(STREAM, 1, at("192.0.2.1", 4000), 1));
        assertFalse(filter.accepts(STREAM, 1, at("192.0.2.1", 4001), 1));
        assertFalse(filter.accepts(STREAM, 1, STRANGER, 1));
        assertFalse(filter.acceptsSetup(setup(STREAM, 1, TERM, 1408), at("192.0.2.1", 4001), 2));
        assertTrue(filter.acceptsSetup(setup(STREAM, 1, TERM, 1408), FRIEND, 3), "again");
    }

    @Test
    void framesOfUnknownSessionsAreDropped() {
        assertFalse(filter.accepts(STREAM, 1, FRIEND, 0));
        assertTrue(filter.acceptsSetup(setup(STREAM, 1, TERM, 1408), FRIEND, 0));
        assertFalse(filter.accepts(STREAM, 2, FRIEND, 1));
        assertFalse(filter.accepts(STREAM + 1, 1, FRIEND, 1));
    }

    @Test
    void aSetupOfAnotherHostStreamTermOrMtuIsRefused() {
        assertFalse(filter.acceptsSetup(setup(STREAM, 1, TERM, 1408), STRANGER, 0));
        assertFalse(filter.acceptsSetup(setup(STREAM + 1, 1, TERM, 1408), FRIEND, 0));
        assertFalse(filter.acceptsSetup(setup(STREAM, 1, 2 * TERM, 1408), FRIEND, 0));
        assertFalse(filter.acceptsSetup(setup(STREAM, 1, 0, 1408), FRIEND, 0));
        assertFalse(filter.acceptsSetup(setup(STREAM, 1, TERM, 96), FRIEND, 0));
        assertFalse(filter.acceptsSetup(setup(STREAM, 1, TERM, 1 << 20), FRIEND, 0));
        assertTrue(filter.acceptsSetup(setup(STREAM, 1, TERM / 2, 8192), FRIEND, 0));
    }

    @Test
    void aHostHasALimitOfSessionsUntilSomeAreSilent() {
        int most = 2 + SourceFilter.SPARE_SESSIONS;
        for (int i = 0; i < 100; i++) {
            boolean isAccepted =
                    filter.acceptsSetup(setup(STREAM, i, TERM, 1408), at("192.0.2.1", i + 1), 0);
            assertEquals(i < most, isAccepted);
        }
        assertTrue(filter.acceptsSetup(setup(STREAM, 200, TERM, 1408), FRIEND, FORGET + 1));
    }

    @Test
    void whatAWorkerExpectsIsReadWhenAHostIsNew() {
        List<InetAddress> hosts = new ArrayList<>();
        var reads = new AtomicInteger();
        var growing =
                new SourceFilter(
                        () -> {
                            reads.incrementAndGet();
                            return ExpectedSources.of(STREAM, TERM, hosts);
                        },
                        FORGET);
        SetupFlyweight setup = setup(STREAM, 1, TERM, 1408);
        assertFalse(growing.acceptsSetup(setup, FRIEND, 1));
        hosts.add(FRIEND.getAddress());
        for (int i = 0; i < 1_000; i++) {
            assertFalse(growing.acceptsSetup(setup, FRIEND, 2));
        }
        assertEquals(1, reads.get(), "a flood does not make the driver read files");
        assertTrue(growing.acceptsSetup(setup, FRIEND, TimeUnit.MILLISECONDS.toNanos(20)));
    }

    @Test
    void whatAWorkerExpectsIsReadAsWritten() throws Exception {
        Path file = folder.resolve("sources");
        assertNull(ExpectedSources.read(file));
        List<InetAddress> hosts =
                Stream.of("192.0.2.1", "2001:db8::1", "192.0.2.1", "127.0.0.1")
                        .map(HostAddress::parse)
                        .toList();
        var sources = ExpectedSources.of(STREAM, TERM, hosts);
        assertEquals(2, sources.workersAt(FRIEND.getAddress()));
        sources.write(file);
        assertEquals(sources, ExpectedSources.read(file));
        Files.writeString(file, "nonsense");
        assertNull(ExpectedSources.read(file));
    }

    @Test
    void loopbackAddressesAreOneHostAndScopesAreLeftOut() {
        assertEquals(HostAddress.parse("127.0.0.1"), HostAddress.parse("127.0.0.9"));
        assertEquals(HostAddress.parse("127.0.0.1"), HostAddress.parse("::1"));
        assertEquals(HostAddress.parse("fe80::1"), HostAddress.parse("fe80::1%eth0"));
        assertThrows(DecodingException.class, () -> HostAddress.parse("a.name"));
    }

    /** {@return the address of the UDP socket that a driver has for a worker} */
    private static NetworkAddress endpointOf(World world, int id) throws Exception {
        WorkerAddress address =
                WorkerAddress.decode(
                        world.store.get(
                                "worker/worker" + id + "/tensorpipe/address",
                                Duration.ofSeconds(1)));
        return NetworkAddress.decode(
                world.store.get(
                        "worker/worker%d/tensorpipe/endpoint/%x"
                                .formatted(id, address.incarnation()),
                        Duration.ofSeconds(1)));
    }

    private static long bytesIn(Path directory) throws Exception {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** A flood from the peers' own host, which is expected: only the limit of sessions applies. */
    @Test
    void aFloodOfSetupsTakesLittleAndCallsGoOn() throws Exception {
        Map<String, String> udp =
                Map.of("driver", "embedded", "transport", "udp", "host", "127.0.0.1");
        try (var world = new World(2, udp)) {
            get(world.node(1).call(0, World.request(new byte[] {1})));
            NetworkAddress target = endpointOf(world, 0);
            Path directory = Path.of(world.node(0).text("driver.directory"));
            long before = bytesIn(directory);
            int sent = 200;
            try (var socket = DatagramChannel.open()) {
                for (int i = 0; i < sent; i++) {
                    UnsafeBuffer frame = setup(target.udpStream(), 1000 + i, TERM, 1408);
                    byte[] bytes = new byte[SetupFlyweight.HEADER_LENGTH];
                    frame.getBytes(0, bytes);
                    socket.send(ByteBuffer.wrap(bytes), target.udpSocket());
                }
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (world.node(0).figure("driver.frames.dropped") < sent / 2) {
                assertTrue(System.nanoTime() - deadline < 0, "dropped frames are counted");
                get(world.node(1).call(0, World.request(new byte[] {1})));
            }
            long most = (2 + SourceFilter.SPARE_SESSIONS) * 4L * TERM;
            assertTrue(bytesIn(directory) - before <= most, "bytes of logs");
        }
    }
}
