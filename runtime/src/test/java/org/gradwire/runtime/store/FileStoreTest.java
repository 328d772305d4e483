package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcProvider;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

class FileStoreTest extends StoreContract {
    private static final int ADDS = 200;

    @TempDir private Path directory = Path.of("");
    private final TestStores factory = new TestStores(_ -> "");

    private Path file() {
        return directory.resolve("a store");
    }

    private String address() {
        return file().toUri().toString();
    }

    @Override
    Store open(int rank) {
        return factory.open(address(), rank, WORLD_SIZE, StoreSecurity.withToken(""), LONG);
    }

    @Test
    void theLastToCloseItDeletesTheFile() {
        Store first = open(0);
        Store second = open(1);
        assertTrue(Files.exists(file()));
        first.close();
        first.close();
        assertTrue(Files.exists(file()));
        second.close();
        assertFalse(Files.exists(file()));
    }

    @Test
    void anotherFileInItsPlaceIsReadFromItsBeginning() throws Exception {
        Store store = join(0);
        store.set("key", bytes("old"));
        store.set("gone", bytes("old"));
        Files.delete(file());
        Store other = join(1);
        other.set("key", bytes("new"));
        assertEquals("new", text(store.get("key", LONG)));
        assertThrows(RpcTimeoutException.class, () -> store.get("gone", SHORT));
        other.set("long", new byte[(int) Files.size(file())]);
        store.set("key", bytes("newer"));
        assertEquals("newer", text(other.get("key", LONG)));
    }

    @Test
    void whatAGetterDoesWithAValueIsItsOwnAffair() {
        Store store = join(0);
        byte[] value = bytes("value");
        store.set("key", value);
        value[0] = 0;
        store.get("key", LONG)[1] = 0;
        assertEquals("value", text(store.get("key", LONG)));
    }

    @RepeatedTest(10)
    void workersThatCloseAndOpenAtTheSameTimeNeverShareADeletedFile() throws Exception {
        List<Future<?>> workers = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            int mine = rank;
            workers.add(
                    threads.submit(() -> {
                        for (int round = 0; round < 20; round++) {
                            Store store = open(mine);
                            store.set("mine/" + mine, bytes("here"));
                            assertEquals("here", text(store.get("mine/" + mine, SHORT)));
                            store.close();
                        }
                    }));
        }
        for (Future<?> worker : workers) {
            worker.get();
        }
        assertFalse(Files.exists(file()));
    }

    @Test
    void aFileThatIsNoStoreIsRefusedWithAHint() throws Exception {
        var random = new Random(11);
        for (int i = 0; i < 300; i++) {
            byte[] rubbish = new byte[1 + random.nextInt(60)];
            random.nextBytes(rubbish);
            Files.write(file(), rubbish);
            assertDamaged();
        }
    }

    private void assertDamaged() {
        String text = assertThrows(RpcException.class, () -> open(0)).getMessage();
        assertTrue(text.startsWith("cannot use the store " + file() + ": "), text);
        assertTrue(text.contains("it is not a Gradwire store, or damaged"), text);
        assertTrue(text.endsWith("; delete it"), text);
    }

    @Test
    void aFileThatIsCutShortIsRefusedWithAHint() throws Exception {
        Store store = join(0);
        store.set("key", bytes("value"));
        byte[] whole = Files.readAllBytes(file());
        for (int length : new int[] {1, whole.length - 1, whole.length - 6}) {
            Files.write(file(), Arrays.copyOf(whole, length));
            assertDamaged();
        }
        Files.write(file(), whole);
        assertEquals("value", text(store.get("key", LONG)));
    }

    @Test
    void onlyTheOwnerMayReadAndWriteTheFile() throws Exception {
        Store store = join(0);
        assertEquals("rw-------", permissions(file()));
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
        store.set("key", bytes("value")); // a user that can read it could lock it
        assertEquals("rw-------", permissions(file()));
        assertEquals("value", text(join(1).get("key", LONG)));
    }

    private static String permissions(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw--w----", "rw-----w-", "rw-rw-rw-"})
    void aFileThatOthersMayWriteIsRefusedAndLeftAlone(String mode) throws Exception {
        Files.createFile(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(mode));
        assertUnsafe(file(), "other users may write it (mode ");
        assertEquals(mode, permissions(file()));
        assertEquals(0, Files.size(file()));
    }

    @Test
    void aSymbolicLinkIsNotFollowed() throws Exception {
        Path target = directory.resolve("target");
        Files.createSymbolicLink(file(), target);
        assertUnsafe(file(), "it is a symbolic link");
        assertFalse(Files.exists(target));
        Files.write(target, bytes("precious"));
        assertUnsafe(file(), "it is a symbolic link");
        assertEquals("precious", Files.readString(target));
    }

    @Test
    void whatIsNoRegularFileIsRefused() throws Exception {
        Files.createDirectory(file());
        assertUnsafe(file(), "it is not a regular file");
        assertUnsafe(Path.of("/dev/null"), "it is not a regular file");
    }

    @Test
    @EnabledIf("isRoot")
    void aFileOfAnotherUserIsRefused() throws Exception {
        Files.createFile(file());
        Files.setAttribute(file(), "unix:uid", 1001);
        assertUnsafe(file(), "it belongs to the user with id 1001");
    }

    static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private void assertUnsafe(Path path, String problem) {
        String text =
                assertThrows(
                                RpcConfigurationException.class,
                                () ->
                                        factory.open(
                                                path.toUri().toString(),
                                                0,
                                                2,
                                                StoreSecurity.withToken(""),
                                                LONG))
                        .getMessage();
        assertTrue(text.startsWith("the store " + path + " is not safe to use: " + problem), text);
        assertTrue(text.endsWith("Delete it, or name another file with gradwire.rendezvous"), text);
    }

    /** A few bytes must not make a worker allocate memory, or accept keys above the limits. */
    @Test
    void lengthsInTheFileAreBounded() throws Exception {
        Store store = join(0);
        store.set("key", bytes("value"));
        byte[] whole = Files.readAllBytes(file());
        for (String rest :
                List.of(
                        "01" + "0003610062" + "7fffffff",
                        "01" + "0001" + "61" + "00010001",
                        "01" + "ffff",
                        "04" + "0001" + "61" + "00000000",
                        "03" + "7fffffffffffffff".repeat(3) + "0001" + "61" + "00000000")) {
            try (var out = Files.newOutputStream(file())) {
                out.write(whole);
                out.write(HexFormat.of().parseHex(rest));
            }
            assertDamaged();
        }
        try (var sparse = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.allocate(1), StoreLimits.MAX_FILE_BYTES);
        }
        assertDamaged();
        Files.write(file(), whole);
        assertEquals("value", text(store.get("key", LONG)));
    }

    @Test
    void aDirectoryThatDoesNotExistIsNamed() {
        Path missing = directory.resolve("missing").resolve("store");
        String text =
                assertThrows(
                                RpcException.class,
                                () ->
                                        factory.open(
                                                missing.toUri().toString(),
                                                0,
                                                2,
                                                StoreSecurity.withToken(""),
                                                LONG))
                        .getMessage();
        assertTrue(text.startsWith("cannot use the store " + missing + ": "), text);
    }

    @Test
    void processesAndWorkersOfOneJvmAddWithoutLosingAnything() throws Exception {
        Store mine = join(0);
        List<Process> children = new ArrayList<>();
        for (int rank = 1; rank <= 2; rank++) {
            children.add(child(rank));
        }
        List<Future<?>> workers = new ArrayList<>();
        // Another factory stands for that of another class loader.
        for (TestStores each : List.of(factory, new TestStores(_ -> ""))) {
            Store store = each.open(address(), 3, WORLD_SIZE, StoreSecurity.withToken(""), LONG);
            workers.add(
                    threads.submit(() -> {
                        for (int i = 0; i < ADDS; i++) {
                            store.add("sum", 1);
                        }
                        store.close();
                    }));
        }
        for (Process child : children) {
            String output = text(child.getInputStream().readAllBytes());
            assertEquals(0, child.waitFor(), output);
        }
        for (Future<?> worker : workers) {
            worker.get();
        }
        assertEquals(4L * ADDS, mine.add("sum", 0));
    }

    /** While one has the file open and waits for its lock, no other channel is open. */
    @Test
    void usersOfOneJvmWaitForEachOtherBeforeTheyOpenTheFile() throws Exception {
        List<Store> stores = List.of(join(0), other(1), other(2));
        List<Thread> adding = new ArrayList<>();
        try (var channel = FileChannel.open(file(), StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            for (Store store : stores) {
                adding.add(Thread.ofPlatform().start(() -> store.add("sum", 1)));
            }
            long deadline = System.nanoTime() + LONG.toNanos();
            while (blocked(adding) < 2 && System.nanoTime() < deadline) {
                LockSupport.parkNanos(100_000);
            }
            assertEquals(2, blocked(adding));
        }
        for (Thread thread : adding) {
            thread.join();
        }
        assertEquals(3, stores.getFirst().add("sum", 0));
    }

    /** Another factory stands for that of another class loader. */
    private Store other(int rank) {
        return new TestStores(_ -> "")
                .open(address(), rank, WORLD_SIZE, StoreSecurity.withToken(""), LONG);
    }

    private static long blocked(List<Thread> threads) {
        return threads.stream().filter(t -> t.getState() == Thread.State.BLOCKED).count();
    }

    private Process child(int rank) throws Exception {
        String classPath =
                String.join(
                        File.pathSeparator,
                        location(FileStore.class),
                        location(Child.class),
                        location(Store.class),
                        location(RpcProvider.class));
        return new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Child.class.getName(),
                        address(),
                        Integer.toString(rank))
                .redirectErrorStream(true)
                .start();
    }

    private static String location(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    /** A worker in its own process. */
    static final class Child {
        public static void main(String[] args) {
            try (Store store =
                    new TestStores(_ -> "")
                            .open(
                                    args[0],
                                    Integer.parseInt(args[1]),
                                    WORLD_SIZE,
                                    StoreSecurity.withToken(""),
                                    LONG)) {
                for (int i = 0; i < ADDS; i++) {
                    store.add("sum", 1);
                }
            }
        }
    }
}
