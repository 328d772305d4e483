package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;

/** Addresses and settings; no server replies. */
class EtcdAddressTest {
    private static String refusal(String address, Map<String, String> settings) {
        return assertThrows(
                        RpcConfigurationException.class,
                        () -> EtcdStores.open(address, 0, 1, Duration.ofMillis(100), settings))
                .getMessage();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://",
                "etcd:///job",
                "etcd://host",
                "etcd://host/",
                "etcd://host:0/job",
                "etcd://host:65536/job",
                "etcd://host:port/job",
                "etcd://host,/job",
                "etcd://,host/job",
                "etcd://ho st/job",
                "etcd://host/job/",
                "etcd://host/a//b",
                "etcd://host/job?user=name",
                "etcd://[::1/job",
                "etcds:host/job"
            })
    void aMalformedAddressIsRefusedWithTheForm(String address) {
        assertEquals(
                "gradwire.rendezvous="
                        + address
                        + " must have the form etcd://host:port[,host:port...]/job or etcds://...",
                refusal(address, Map.of()));
    }

    @Test
    void aUserInAnAddressIsRefusedAndMasked() {
        assertEquals(
                "gradwire.rendezvous=etcd://***@host/job names a user; addresses are printed, so set gradwire.etcd.user and gradwire.etcd.password-file instead",
                refusal("etcd://root:hunter2@host/job", Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, false",
        "'localhost:1,[::1]:2', false",
        "'localhost,10.0.0.1:2379', true",
        "host.invalid, true"
    })
    void aClusterIsReachableUnlessAllOfItIsOnLoopback(String hosts, boolean reachable) {
        assertEquals(reachable, EtcdStores.PROVIDER.isReachable("etcd://" + hosts + "/job"));
    }

    @ParameterizedTest
    @CsvSource({
        "gradwire.etcd.user, root, gradwire.etcd.user and gradwire.etcd.password-file must be set together",
        "gradwire.etcd.time-to-live, 1s, gradwire.etcd.time-to-live=1s",
        "gradwire.etcd.time-to-live, 2h, gradwire.etcd.time-to-live=2h",
        "gradwire.etcd.request-timeout, 1ms, gradwire.etcd.request-timeout=1ms",
        "gradwire.etcd.request-timeout, soon, gradwire.etcd.request-timeout=soon"
    })
    void aWrongSettingIsNamed(String key, String value, String start) {
        String text = refusal("etcd://127.0.0.1/job", Map.of(key, value));
        assertTrue(text.startsWith(start), text);
    }

    @Test
    void aPasswordFileThatCannotBeReadIsNamed() {
        String text =
                refusal(
                        "etcd://127.0.0.1/job",
                        Map.of(
                                "gradwire.etcd.user", "root",
                                "gradwire.etcd.password-file", "/does/not/exist"));
        assertTrue(
                text.startsWith("gradwire.etcd.password-file=/does/not/exist cannot be read"),
                text);
    }

    @Test
    void anEtcdThatDoesNotReplyIsNamedInTime() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String host = "127.0.0.1:" + silent.getLocalPort();
            String text = refusal("etcd://" + host + "/job", Map.of());
            assertTrue(
                    text.startsWith(
                            "cannot use the store of job job in etcd: etcd at "
                                    + host
                                    + " did not reply within 100 ms ("),
                    text);
            assertFalse(text.contains("null"), text);
        }
    }
}
