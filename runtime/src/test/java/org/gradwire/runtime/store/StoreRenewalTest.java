package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** New certificates of workers that are connected to the TCP store. */
class StoreRenewalTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration CHECKS = Duration.ofSeconds(3);
    private static final long PAUSE_NANOS = 1_000_000;
    private static final String TOKEN = "a token of the group, of some length";
    private static final String BRIEF = "-1d+10S";
    private static final byte[] VALUE = {1, 2, 3};

    @TempDir private Path directory;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Store> open = new ArrayList<>();
    private final int port = FreePort.choose();

    @AfterEach
    void close() {
        open.reversed().forEach(Store::closeNow);
        threads.close();
    }

    private Store open(TcpStore.Serving serving, StoreSecurity security) {
        Store store = TcpStore.open("127.0.0.1", port, serving, 8, security, LONG);
        open.add(store);
        return store;
    }

    private Store serve(Issued files) {
        return open(TcpStore.Serving.YES, TestCertificates.security("worker0", files, TOKEN));
    }

    private void serve(CertificateAuthority authority, Path revocations) throws IOException {
        Issued files = issue(authority, "server", "worker0");
        open(TcpStore.Serving.YES, TestCertificates.security("worker0", files, TOKEN, revocations));
    }

    private Store join(Issued files) {
        return open(TcpStore.Serving.NO, TestCertificates.security("worker1", files, TOKEN));
    }

    private static Issued issue(
            CertificateAuthority authority, String name, String worker, String... more)
            throws IOException {
        return authority.issue(name, TestCertificates.PATTERN.replace("{worker}", worker), more);
    }

    private static Issued brief(CertificateAuthority authority, String name, String worker)
            throws IOException {
        return issue(authority, name, worker, "-startdate", BRIEF, "-validity", "1");
    }

    /**
     * Both sides renew; a value that appears after both first certificates have expired arrives.
     */
    @Test
    void renewedSidesOutliveTheirFirstCertificates() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory);
        Issued nextOfServer = issue(authority, "server-next", "worker0");
        Issued nextOfClient = issue(authority, "client-next", "worker1");
        Issued ofServer = brief(authority, "server", "worker0");
        Issued ofClient = brief(authority, "client", "worker1");
        Instant end = ofClient.end();
        Store server = serve(ofServer);
        Store client = join(ofClient);
        assertEquals(1, client.add("sum", 1));
        Future<byte[]> waiting = threads.submit(() -> client.get("later", LONG));
        ofServer.renew(nextOfServer);
        ofClient.renew(nextOfClient);
        long sum = 1;
        while (Instant.now().isBefore(end.plus(CHECKS))) {
            assertEquals(++sum, client.add("sum", 1));
            assertEquals(++sum, server.add("sum", 1));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        server.set("later", VALUE);
        assertArrayEquals(VALUE, waiting.get(20, SECONDS));
    }

    /** Only the waits of a client notice its new certificate. */
    @Test
    void aWaitOutlivesTheFirstCertificate() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory);
        Issued next = issue(authority, "next", "worker1");
        Store server = serve(issue(authority, "server", "worker0"));
        Issued files = brief(authority, "client", "worker1");
        Store client = join(files);
        Future<byte[]> waiting = threads.submit(() -> client.get("later", LONG));
        Instant end = files.end();
        files.renew(next);
        Thread.sleep(Duration.between(Instant.now(), end.plus(CHECKS)));
        server.set("later", VALUE);
        assertArrayEquals(VALUE, waiting.get(20, SECONDS));
    }

    /** An operator renews a certificate, then revokes the previous one at once. */
    @Test
    void aRenewedClientOutlivesTheRevocationOfItsFirstCertificate() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory);
        Path list = authority.revoke();
        Issued first = issue(authority, "first", "worker1");
        serve(authority, list);
        Store client = join(first);
        Future<?> waiting = threads.submit(() -> client.get("never", Duration.ofSeconds(6)));
        first.renew(issue(authority, "second", "worker1"));
        revoke(authority, list, 5, "first");
        Instant end = Instant.now().plus(CHECKS);
        for (int sum = 1; Instant.now().isBefore(end); sum++) {
            assertEquals(sum, client.add("sum", 1));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        var failure = assertThrows(ExecutionException.class, () -> waiting.get(20, SECONDS));
        assertInstanceOf(RpcTimeoutException.class, failure.getCause());
        revoke(authority, list, 10, "first", "second");
        assertRefused(client);
    }

    /** No time is left in which a revoked worker reports those that refuse it. */
    @Test
    void aRevokedClientWritesNothingMore() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory);
        Path list = authority.revoke();
        Issued first = issue(authority, "first", "worker1");
        serve(authority, list);
        Store client = join(first);
        assertEquals(1, client.add("sum", 1));
        revoke(authority, list, 5, "first");
        assertThrows(RpcException.class, () -> client.add("sum", 1));
    }

    private static void revoke(
            CertificateAuthority authority, Path list, int seconds, String... names)
            throws IOException {
        authority.revoke(names);
        Files.setLastModifiedTime(list, FileTime.from(Instant.now().plusSeconds(seconds)));
    }

    private static void assertRefused(Store client) {
        long deadline = System.nanoTime() + LONG.toNanos();
        assertThrows(
                RpcException.class,
                () -> {
                    while (System.nanoTime() - deadline < 0) {
                        client.add("sum", 1);
                    }
                });
    }
}
