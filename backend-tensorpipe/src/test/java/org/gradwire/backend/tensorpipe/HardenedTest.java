package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.assertSame;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.patterned;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.driver.DriverDirectory;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Workers without the system calls that hardened containers refuse ({@link Hardened}). */
@NativeOnly("the automatic choice of the portable form")
class HardenedTest {
    private static final int SIZE = 3;

    private final List<Child> children = new ArrayList<>();
    private Node node;
    private ProcessHandle driver;

    @TempDir Path folder;

    /** Start a hardened worker first, so that the driver is hardened too. */
    @BeforeEach
    void start() throws Exception {
        assumeTrue(LibC.isAvailable(), "seccomp is Linux's");
        Path place = folder.resolve("driver");
        Path store = Files.createDirectory(folder.resolve("store"));
        for (int id = 1; id < SIZE; id++) {
            children.add(
                    Child.hardened(
                            ChildWorker.class,
                            store.toString(),
                            "" + id,
                            "" + SIZE,
                            "directory=" + place));
        }
        var directory = new DriverDirectory(place);
        while (directory.liveDriver().isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(5); // interval between checks only
        }
        driver = ProcessHandle.of(directory.liveDriver().orElseThrow().pid()).orElseThrow();
        assertHardened(driver.pid());
        node = new Node(World.info(0), new FileStore(store), Map.of("directory", place.toString()));
        node.agent.start(node);
        node.agent.connect(IntStream.range(0, SIZE).mapToObj(World::info).toList());
        for (Child child : children) {
            child.await(line -> line.equals("ready"));
            assertHardened(child.pid());
        }
    }

    @AfterEach
    void end() throws Exception {
        if (node != null) {
            node.agent.close();
        }
        children.forEach(Child::close);
        if (driver != null) {
            driver.destroyForcibly(); // it uses the folder, which is deleted
            driver.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    private static void assertHardened(long pid) throws Exception {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        assertTrue(Files.readAllLines(status).contains("Seccomp:\t2"), "a filter is installed");
    }

    @Test
    void largeBuffersComeInChunks() throws Exception {
        MemorySegment large = patterned(Arena.ofAuto().allocate(3_000_000, 8));
        for (int i = 0; i < 3; i++) {
            Message reply = get(node.call(1, World.request(new byte[] {1}, large)));
            assertSame(large, reply.buffers().getFirst());
        }
        assertEquals("ipc", node.text("transport.1"), "the hardened one reads no memory");
        assertEquals(0, node.figure("single-copy.offered"));
        String figures = children.getFirst().figures();
        assertTrue(figures.contains("tensorpipe.single-copy.read=0"), figures);
        assertTrue(figures.contains("tensorpipe.frames.rejected=0"), figures);
    }

    @Test
    void theEndOfAPeerIsSeenAllTheSame() throws Exception {
        get(node.call(1, World.request(new byte[1])));
        children.getLast().kill();
        long start = System.nanoTime();
        while (!children.getFirst().figures().contains("tensorpipe.peers.lost=1")) {
            long millis = (System.nanoTime() - start) / 1_000_000;
            assertTrue(millis < 3000, () -> millis + " ms: later than by silence");
            TimeUnit.MILLISECONDS.sleep(20); // interval between checks only
        }
        get(node.call(1, World.request(new byte[1])));
    }
}
