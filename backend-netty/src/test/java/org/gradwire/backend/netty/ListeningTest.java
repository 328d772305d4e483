package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.BufferAllocator;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The address at which a worker listens, and the error when it cannot. */
class ListeningTest {
    private static final String HOST = "gradwire.netty.host";

    private static TestGroup group(Map<String, String> settings) {
        return new TestGroup(List.of(settings), BufferAllocator.plain());
    }

    private static String refused(Map<String, String> settings) {
        Set<String> before = loops();
        var failure = assertThrows(RpcConfigurationException.class, () -> group(settings).close());
        assertEquals(before, loops(), "threads that are left");
        return String.valueOf(failure.getMessage());
    }

    /** {@return threads of agents in this JVM} */
    private static Set<String> loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("gradwire-netty"))
                .map(thread -> thread.getName() + " " + thread.threadId())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String listensAt(Map<String, String> settings) {
        try (var group = group(settings)) {
            byte[] address =
                    group.store.get(
                            "worker/worker0/netty/address", java.time.Duration.ofSeconds(10));
            return Address.decode(address).socket().getAddress().getHostAddress();
        }
    }

    @Test
    void plainMessagesStayOnThisHostByDefault() {
        assertEquals("127.0.0.1", listensAt(Map.of()));
        assertEquals("127.0.0.1", listensAt(Map.of("host", "localhost")));
    }

    @Test
    void plainMessagesToOtherHostsNeedPermission() {
        // An address of no host: the permission is checked first.
        assertEquals(
                HOST
                        + "=192.0.2.7 (from test) must be a loopback address as long as messages are not"
                        + " encrypted: set gradwire.certificate, gradwire.private-key and"
                        + " gradwire.trust, or gradwire.netty.plain=true in a network that no third party"
                        + " can read or write",
                refused(Map.of("host", "192.0.2.7")));
        String text = refused(Map.of("host", "192.0.2.7", "plain", "true"));
        assertTrue(text.contains("cannot listen at 192.0.2.7 port 0"), text);
        assertTrue(text.contains(HOST), text);
    }

    @Test
    void encryptionOfAllNeedsCertificates() {
        assertEquals(
                "gradwire.encryption=all (from test) must be network or none where workers of the"
                        + " backend netty have no certificates, without which nothing is encrypted: set"
                        + " gradwire.certificate, gradwire.private-key and gradwire.trust",
                refused(Map.of("gradwire.encryption", "all")));
        for (String value : List.of("network", "none")) {
            assertEquals("127.0.0.1", listensAt(Map.of("gradwire.encryption", value)));
        }
        assertEquals(
                "gradwire.encryption=some (from test) must be one of [network, all, none]",
                refused(Map.of("gradwire.encryption", "some")));
    }

    @Test
    void encryptionOfTheNetworkContradictsPlainMessages() {
        assertEquals(
                "gradwire.encryption=network (from test) must be none where"
                        + " gradwire.netty.plain=true and workers of the backend netty have no"
                        + " certificates, without which nothing is encrypted: set"
                        + " gradwire.certificate, gradwire.private-key and gradwire.trust, or"
                        + " gradwire.netty.plain=false",
                refused(Map.of("gradwire.encryption", "network", "plain", "true")));
        Map<String, String> plain = new HashMap<>(Map.of("host", "127.0.0.1", "plain", "true"));
        assertEquals("127.0.0.1", listensAt(plain));
        plain.put("gradwire.encryption", "none");
        assertEquals("127.0.0.1", listensAt(plain));
    }

    @Test
    void anAddressOfNoInterfaceIsRefused() {
        String text = refused(Map.of("host", "0.0.0.0", "plain", "true"));
        assertTrue(text.startsWith(HOST + "=0.0.0.0 (from test) must be an address"), text);
    }

    @Test
    void aHostMustResolve() {
        assertEquals(
                HOST
                        + "=no-such-host.invalid (from test) must be an address or a name of this host;"
                        + " the name has no address",
                refused(Map.of("host", "no-such-host.invalid", "plain", "true")));
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (var taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String text = refused(Map.of("port", Integer.toString(taken.getLocalPort())));
            assertTrue(
                    text.startsWith(
                            "worker 0 cannot listen at 127.0.0.1 port " + taken.getLocalPort()),
                    text);
            assertTrue(text.contains("in use"), text);
            assertTrue(text.contains("gradwire.netty.port"), text);
        }
    }

    @Test
    void valuesOutOfRangeAreNamed() {
        Map<String, String> wrong =
                Map.of(
                        "port", "65536",
                        "liveness", "99ms",
                        "connect-timeout", "1ms",
                        "send-queue-bytes", "0",
                        "max-message-bytes", "3g",
                        "receive-bytes", "-1");
        wrong.forEach((key, value) -> {
            String text = refused(Map.of(key, value));
            assertTrue(text.contains("gradwire.netty." + key + "=" + value), text);
        });
    }
}
