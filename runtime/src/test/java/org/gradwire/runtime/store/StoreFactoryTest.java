package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;

/** The forms of a rendezvous address. */
class StoreFactoryTest {
    private static final Duration SOON = Duration.ofMillis(50);

    private static String refusal(StoreFactory factory, String address) {
        return assertThrows(
                        RpcConfigurationException.class,
                        () -> factory.open(address, 1, 2, StoreSecurity.withToken(""), SOON))
                .getMessage();
    }

    private static StoreFactory with(Map<String, String> environment) {
        return new StoreFactory(name -> environment.getOrDefault(name, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "here",
                "localhost:29500",
                "tcp://",
                "tcp://localhost",
                "tcp://localhost:",
                "tcp://localhost:port",
                "tcp://localhost:0",
                "tcp://localhost:65536",
                "tcp://localhost:-1",
                "tcp://:29500",
                "tcp:localhost:29500",
                "TCP://localhost:29500",
                "udp://localhost:29500",
                "file://",
                "file:///",
                "file:store",
                "file://relative/store",
                "inproc://",
                "inproc:",
                "http://localhost:29500",
                "tcp://local host:29500",
                "://",
                "\0",
                "tcp://[::1:29500"
            })
    void anotherFormIsRefusedAndTheRightOnesAreGiven(String address) {
        assertEquals(
                "gradwire.rendezvous="
                        + address
                        + " must have the form tcp://host:port, file:///path, inproc://name or env://",
                refusal(with(Map.of()), address));
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "localhost, ''", "'', 29500", "' ', 29500"})
    void theEnvironmentMustSayWhere(String host, String port) {
        assertEquals(
                "rendezvous env:// needs the environment variables MASTER_ADDR and MASTER_PORT, but MASTER_ADDR is '"
                        + host
                        + "' and MASTER_PORT is '"
                        + port
                        + "'; set them, or set gradwire.rendezvous",
                refusal(with(Map.of("MASTER_ADDR", host, "MASTER_PORT", port)), "env://"));
    }

    @Test
    void aPortFromTheEnvironmentThatIsNoneIsRefused() {
        assertEquals(
                "gradwire.rendezvous=tcp://localhost:http must have the form tcp://host:port, file:///path, inproc://name or env://",
                refusal(with(Map.of("MASTER_ADDR", "localhost", "MASTER_PORT", "http")), "env://"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void theEnvironmentNamesATcpStore(String host) throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        StoreFactory factory =
                with(Map.of("MASTER_ADDR", host, "MASTER_PORT", Integer.toString(port)));
        try (Store store =
                factory.open("env://", 0, 1, StoreSecurity.withToken(""), Duration.ofSeconds(30))) {
            assertEquals(1, store.add("sum", 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_host.invalid", "host.invalid", "[::1]"})
    void aHostMayHaveAnyName(String host) {
        String text = refusal(with(Map.of()), "tcp://" + host + ":1");
        assertTrue(text.startsWith("cannot use the store at " + host + ":1: no reply"), text);
    }
}
