package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.assertSame;
import static org.gradwire.backend.tensorpipe.Calls.failure;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.patterned;
import static org.gradwire.backend.tensorpipe.Calls.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.backend.tensorpipe.driver.PrivateDirectory;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Workers in separate processes, under a shared media driver. */
class ProcessTest {
    private static final List<DriverDirectory> DIRECTORIES = new ArrayList<>();

    private final DriverDirectory directory =
            new DriverDirectory(
                    OperatingSystem.current()
                            .sharedMemory()
                            .resolve(
                                    "gradwire-test-"
                                            + ProcessHandle.current().pid()
                                            + "-"
                                            + ThreadLocalRandom.current().nextInt(1_000_000)));
    private final Map<String, String> settings =
            new HashMap<>(Map.of("directory", directory.path().toString()));
    private final List<Child> children = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();

    @TempDir Path store;

    @BeforeEach
    void remember() {
        DIRECTORIES.add(directory);
    }

    @AfterEach
    void endAll() {
        nodes.forEach(node -> node.agent.close());
        children.forEach(Child::close);
    }

    @AfterAll
    static void nothingIsLeftBehind() throws Exception {
        for (DriverDirectory each : DIRECTORIES) {
            awaitNothingLeft(each);
        }
        assertEquals(LibC.isAvailable() ? 16 : 14, DIRECTORIES.size());
    }

    private void awaitNothingLeft() throws Exception {
        awaitNothingLeft(directory);
    }

    private static void awaitNothingLeft(DriverDirectory directory) throws Exception {
        await(() -> "not deleted: " + filesIn(directory), () -> !Files.exists(directory.path()));
    }

    private static String filesIn(DriverDirectory directory) {
        try (Stream<Path> files = Files.walk(directory.path())) {
            return files.map(Path::toString).toList() + ", driver " + directory.liveDriver();
        } catch (IOException | UncheckedIOException e) {
            return e.toString();
        }
    }

    private static void await(String what, BooleanSupplier condition) throws Exception {
        await(() -> what, condition);
    }

    private static void await(Supplier<String> what, BooleanSupplier condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, what);
            TimeUnit.MILLISECONDS.sleep(5); // interval between checks only
        }
    }

    private Child child(int id, int size) {
        return child(id, size, Map.of());
    }

    private Child child(int id, int size, Map<String, String> environment) {
        List<String> args = new ArrayList<>(List.of(store.toString(), "" + id, "" + size));
        settings.forEach((key, value) -> args.add(key + "=" + value));
        var child =
                Child.withEnvironment(environment, ChildWorker.class, args.toArray(String[]::new));
        children.add(child);
        return child;
    }

    /** Start worker 0 in this process and the others in separate ones. */
    private Node worldOf(int size) throws Exception {
        IntStream.range(1, size).forEach(id -> child(id, size));
        return join(size);
    }

    /** Start worker 0 in this process, and wait for the others. */
    private Node join(int size) throws Exception {
        var node = new Node(World.info(0), new FileStore(store), settings);
        nodes.add(node);
        node.agent.start(node);
        List<WorkerInfo> members = IntStream.range(0, size).mapToObj(World::info).toList();
        node.agent.connect(members);
        for (Child child : children) {
            child.await(line -> line.equals("ready"));
        }
        return node;
    }

    private void echo(Node node, int to, MemorySegment... buffers) throws Exception {
        Message reply = get(node.call(to, World.request(new byte[] {1}, buffers)));
        for (int i = 0; i < buffers.length; i++) {
            assertSame(buffers[i], reply.buffers().get(i));
        }
    }

    /** Wait until both workers have negotiated single copies; before, chunks are sent. */
    private void awaitMemoryReads(Node node) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!node.text("transport.1").equals("ipc+single-copy")
                || !children.get(0).figures().contains("tensorpipe.transport.0=ipc+single-copy")) {
            assertTrue(System.nanoTime() - deadline < 0, "memory is not read");
        }
    }

    @NativeOnly("process_vm_readv")
    @Test
    void largeNativeBuffersAreReadFromTheOtherProcess() throws Exception {
        Node node = worldOf(2);
        awaitMemoryReads(node);
        for (int bytes : new int[] {100_000, 3_000_000, 40_000_000}) {
            echo(
                    node,
                    1,
                    patterned(Arena.ofAuto().allocate(bytes, 8)),
                    patterned(MemorySegment.ofArray(new float[10_000])),
                    patterned(Arena.ofAuto().allocate(bytes / 2, 8)));
        }
        assertEquals(5, node.figure("single-copy.offered"));
        assertEquals(5, node.figure("single-copy.read"));
        assertEquals(0, node.figure("single-copy.failed"));
        assertTrue(children.get(0).figures().contains("tensorpipe.single-copy.read=5"));
        assertEquals(0, node.figure("frames.rejected"));
    }

    @Test
    void theDriverEndsWithItsLastClientAndLeavesNothing() throws Exception {
        Node node = worldOf(3);
        var driver = directory.liveDriver().orElseThrow();
        assertTrue(driver.pid() != ProcessHandle.current().pid());
        echo(node, 1);
        echo(node, 2);
        node.agent.close();
        for (Child child : children) {
            child.end();
        }
        awaitNothingLeft();
        await("the driver ends", () -> ProcessIdentity.ofLiving(driver.pid()).isEmpty());
    }

    @Test
    void aKilledPeerIsNoticedAndTheOthersGoOn() throws Exception {
        Node node = worldOf(3);
        Child.stop(children.get(0).pid()); // so that it cannot reply
        var pending = node.call(1, World.request(new byte[1]), 0);
        long start = System.nanoTime();
        children.get(0).kill();
        RpcConnectionException failure = failure(RpcConnectionException.class, pending);
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(
                text(failure).startsWith("Connection reset by peer worker1 (id 1): its process"),
                text(failure));
        assertTrue(millis < 3000, () -> millis + " ms");
        assertEquals(1, node.awaitLost().peer());
        echo(node, 2);
        assertTrue(node.lost.isEmpty());
    }

    @Test
    void aPeerThatSaysNothingIsLost() throws Exception {
        settings.put("liveness", "1s");
        Node node = worldOf(2);
        Child.stop(children.get(0).pid());
        RpcException reason = node.awaitLost().reason();
        assertTrue(
                text(reason).contains("Connection reset by peer worker1 (id 1): silent for "),
                text(reason));
    }

    @Test
    void idlePeersAreNotLost() throws Exception {
        settings.put("liveness", "500ms");
        Node node = worldOf(2);
        long heard = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        await("time passes", () -> System.nanoTime() > heard);
        echo(node, 1);
        assertTrue(node.lost.isEmpty());
    }

    @Test
    void aWorkerWithoutFileDescriptorsKeepsItsPeersAndItsDriver() throws Exception {
        List<String> args = new ArrayList<>(List.of(store.toString(), "1", "4"));
        settings.forEach((key, value) -> args.add(key + "=" + value));
        Child starved = Child.withDescriptors(256, ChildWorker.class, args.toArray(String[]::new));
        children.add(starved);
        child(2, 4);
        child(3, 4);
        Node node = join(4);
        echo(node, 1);
        kill(2, node);
        awaitFigure(starved, "tensorpipe.peers.lost=1"); // its classes for all that are loaded now
        long beaten = System.nanoTime() + TimeUnit.SECONDS.toNanos(2); // so is that of a heartbeat
        await("time passes", () -> System.nanoTime() > beaten);
        starved.write(ChildWorker.TAKE_DESCRIPTORS);
        starved.await(line -> line.equals("no descriptor is left"));
        long looked = System.nanoTime() + TimeUnit.SECONDS.toNanos(3); // at processes, six times
        do {
            echo(node, 1);
        } while (System.nanoTime() < looked);
        awaitFigure(starved, "tensorpipe.peers.lost=1");
        assertTrue(node.lost.isEmpty());
        kill(3, node);
        if (!LibC.isAvailable()) { // then it takes a descriptor to see an end
            starved.write(ChildWorker.GIVE_DESCRIPTORS_BACK);
        }
        awaitFigure(starved, "tensorpipe.peers.lost=2");
        echo(node, 1);
        starved.write(ChildWorker.GIVE_DESCRIPTORS_BACK);
        starved.end();
    }

    private void kill(int id, Node node) throws Exception {
        children.get(id - 1).kill();
        assertEquals(id, node.awaitLost().peer());
    }

    private static void awaitFigure(Child child, String figure) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!child.figures().contains(figure)) {
            assertTrue(System.nanoTime() < deadline, figure);
            TimeUnit.MILLISECONDS.sleep(50); // interval between checks only
        }
    }

    @Test
    void theDriverEndsWhenAllWorkersWereKilled() throws Exception {
        for (Child child : List.of(child(1, 2), child(0, 2))) {
            child.await(line -> line.equals("ready"));
        }
        var driver = directory.liveDriver().orElseThrow();
        children.forEach(Child::kill);
        awaitNothingLeft();
        await("the driver ends", () -> ProcessIdentity.ofLiving(driver.pid()).isEmpty());
    }

    @NativeOnly("setsid")
    @Test
    void theDriverIgnoresWhatEndsATerminal() throws Exception {
        Node node = worldOf(2);
        var driver = directory.liveDriver().orElseThrow();
        Child.signal("INT", driver.pid());
        Child.signal("HUP", driver.pid());
        echo(node, 1);
        String session = Files.readString(Path.of("/proc", "" + driver.pid(), "stat"));
        String[] fields = session.substring(session.lastIndexOf(')') + 2).split(" ", -1);
        assertEquals(Long.toString(driver.pid()), fields[3], "the driver leads its session");
        assertTrue(directory.liveDriver().isPresent());
    }

    @Test
    void whenTheDriverDiesCallsFailAndTheAgentCloses() throws Exception {
        Node node = worldOf(2);
        node.answer = World.silent();
        var driver = directory.liveDriver().orElseThrow();
        var pending = node.call(0, World.request(new byte[1]), 0);
        Child.signal("KILL", driver.pid());
        RpcConnectionException failure = failure(RpcConnectionException.class, pending);
        assertTrue(
                text(failure).contains("the media driver in " + directory.path()), text(failure));
        assertEquals(1, node.awaitLost().peer());
        failure(RpcConnectionException.class, node.call(1, World.request(new byte[1])));
        node.agent.close();
        awaitNothingLeft();
    }

    @Test
    void aDeadDriversDirectoryIsTakenOver() throws Exception {
        Node node = worldOf(1);
        Child.signal("KILL", driverPid());
        node.agent.close();
        nodes.clear();
        PrivateDirectory.create(directory.path());
        Files.createDirectories(directory.aeron());
        Files.write(directory.aeron().resolve("cnc.dat"), new byte[100]);
        Node next = new Node(World.info(0), new MapStore(), settings);
        nodes.add(next);
        next.agent.start(next);
        next.agent.connect(List.of(World.info(0)));
        echo(next, 0);
    }

    private long driverPid() {
        return directory.liveDriver().orElseThrow().pid();
    }

    @Test
    void workersOfTwoJvmsWithEmbeddedDriversTalkOverUdp() throws Exception {
        settings.clear();
        settings.put("driver", "embedded");
        settings.put("host", "127.0.0.1");
        Node node = worldOf(2);
        assertTrue(node.text("transport.1").startsWith("udp"), node.text("transport.1"));
        echo(node, 1, patterned(MemorySegment.ofArray(new float[100_000])));
    }

    @Test
    void theDriverGetsNoSecretOfTheWorkerThatStartsIt() throws Exception {
        String secret = "c2VjcmV0";
        child(0, 1, Map.of("GRADWIRE_AUTHENTICATION_TOKEN", secret, "ANOTHER_SECRET", secret))
                .await(line -> line.equals("ready"));
        Path worker = Path.of("/proc", "" + children.getFirst().pid(), "environ");
        assertTrue(Files.readString(worker).contains(secret));
        Path driver = Path.of("/proc", "" + driverPid());
        String environment = Files.readString(driver.resolve("environ"));
        assertFalse(environment.contains(secret));
        assertTrue(environment.contains("PATH="), environment);
        assertFalse(Files.readString(driver.resolve("cmdline")).contains(secret));
    }

    @Test
    void workersOfOneHostOpenNoPort() throws Exception {
        Node node = worldOf(3);
        for (int id = 0; id < 3; id++) {
            echo(node, id, patterned(MemorySegment.ofArray(new float[100_000])));
        }
        assertEquals("none", node.text("network.endpoint"));
        for (Child child : children) {
            assertTrue(child.figures().contains("tensorpipe.network.endpoint=none"));
            assertEquals(List.of(), OpenPorts.of(child.pid()));
        }
        assertEquals(List.of(), OpenPorts.of(driverPid()));
    }

    @Test
    void workersUnderDifferentDriversOpenPorts() throws Exception {
        settings.put("host", "127.0.0.1");
        Child other = child(1, 2);
        var here = new HashMap<>(settings);
        here.put("directory", directory.path() + "-other");
        var otherDirectory = new DriverDirectory(Path.of(directory.path() + "-other"));
        DIRECTORIES.add(otherDirectory);
        var node = new Node(World.info(0), new FileStore(store), here);
        nodes.add(node);
        node.agent.start(node);
        node.agent.connect(List.of(World.info(0), World.info(1)));
        other.await(line -> line.equals("ready"));
        echo(node, 1, patterned(MemorySegment.ofArray(new float[100_000])));
        assertPorts(other.pid(), "tcp");
        assertPorts(driverPid(), "udp");
        assertPorts(otherDirectory.liveDriver().orElseThrow().pid(), "udp");
    }

    private static void assertPorts(long pid, String protocol) throws Exception {
        List<String> ports = OpenPorts.of(pid);
        assertTrue(ports.stream().anyMatch(line -> line.startsWith(protocol)), ports::toString);
    }

    @Test
    void aJvmWithoutTheFlagsIsToldWhichToAdd() throws Exception {
        try (var child = new Child(ObstaclePrinter.class, false)) {
            String line = child.await(text -> text.startsWith("obstacle: "));
            String flag =
                    Files.readAllLines(Path.of(System.getProperty("jvm.args.file"))).stream()
                            .filter(text -> text.contains("jdk.internal.misc=org.agrona"))
                            .findFirst()
                            .orElseThrow();
            assertTrue(line.contains(flag), line);
            assertFalse(line.contains("\n"));
        }
        try (var child = new Child(ObstaclePrinter.class, true)) {
            child.await(text -> text.equals("obstacle: none"));
        }
    }
}
