package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/** An etcd that permits a user to use the keys below one prefix. */
class EtcdUserTest {
    @TempDir private static Path directory = Path.of("");
    private static EtcdCluster etcd;

    @BeforeAll
    static void start() {
        etcd = EtcdCluster.start(directory, 1);
        etcd.first("auth/user/add", "{\"name\":\"root\",\"password\":\"for-root\"}");
        etcd.first("auth/user/add", "{\"name\":\"trainer\",\"password\":\"hunter2\"}");
        etcd.first("auth/role/add", "{\"name\":\"root\"}");
        etcd.first("auth/role/add", "{\"name\":\"jobs\"}");
        etcd.first(
                "auth/role/grant",
                "{\"name\":\"jobs\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"%s\",\"range_end\":\"%s\"}}"
                        .formatted(base64("jobs/"), base64("jobs0")));
        etcd.first("auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
        etcd.first("auth/user/grant", "{\"user\":\"trainer\",\"role\":\"jobs\"}");
        etcd.first("auth/enable", "{}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    private static Map<String, String> user(String password) throws IOException {
        Path file = Files.writeString(directory.resolve("password"), password + "\n");
        return Map.of(
                "gradwire.etcd.user", "trainer", "gradwire.etcd.password-file", file.toString());
    }

    private static Store open(String job, Map<String, String> settings) {
        return EtcdStores.open(etcd.address(job), 0, 0, Duration.ofSeconds(20), settings);
    }

    @Test
    void theUserUsesItsKeys() throws Exception {
        try (Store store = open("jobs/first", user("hunter2"))) {
            store.set("key", new byte[] {1});
            assertArrayEquals(new byte[] {1}, store.get("key", EtcdStores.LONG));
            store.acquire("leader", new byte[] {2}, Store.MIN_LEASE).orElseThrow().close();
        }
    }

    @Test
    void otherKeysAreNotPermitted() throws Exception {
        Map<String, String> user = user("hunter2");
        assertRefused(
                () -> open("others", user), "does not permit user 'trainer' to use the keys below");
    }

    @Test
    void aWrongPasswordIsRefusedAndNotPrinted() throws Exception {
        Map<String, String> user = user("hunter3");
        assertRefused(() -> open("jobs/second", user), "does not accept user 'trainer'");
    }

    @Test
    void aWorkerWithoutAUserIsRefused() {
        assertRefused(() -> open("jobs/third", Map.of()), "user name is empty");
    }

    private static void assertRefused(Runnable opening, String reason) {
        String text = assertThrows(RpcConfigurationException.class, opening::run).getMessage();
        assertTrue(text.startsWith("cannot use the store of job "), text);
        assertTrue(text.contains(reason), text);
        assertFalse(text.contains("hunter"), text);
    }
}
