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
import java.util.List;
import java.util.Map;

/** The forms of a rendezvous address. */
class StoreFactoryTest {
    private static final Duration SOON = Duration.ofMillis(50);

    private static String refusal(TestStores factory, String address) {
        return assertThrows(
                        RpcConfigurationException.class,
                        () -> factory.open(address, 1, 2, StoreSecurity.withToken(""), SOON))
                .getMessage();
    }

    private static TestStores with(Map<String, String> environment) {
        return new TestStores(name -> environment.getOrDefault(name, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "here",
                "localhost:29500",
                "tcp:localhost:29500",
                "TCP://localhost:29500",
                "udp://localhost:29500",
                "file:store",
                "inproc:",
                "http://localhost:29500",
                "://",
                "\0"
            })
    void anAddressWithoutAStoreIsRefusedAndTheFormsOfAllStoresAreListed(String address) {
        assertEquals(
                "gradwire.rendezvous="
                        + address
                        + " must have the form file:///path, inproc://name, tcp://host:port or env://; a module with another StoreProvider adds its scheme",
                refusal(with(Map.of()), address));
    }

    @ParameterizedTest
    @CsvSource({
        "tcp://host:port, tcp://",
        "tcp://host:port, tcp://localhost",
        "tcp://host:port, tcp://localhost:",
        "tcp://host:port, tcp://localhost:port",
        "tcp://host:port, tcp://localhost:0",
        "tcp://host:port, tcp://localhost:65536",
        "tcp://host:port, tcp://localhost:-1",
        "tcp://host:port, tcp://:29500",
        "tcp://host:port, tcp://local host:29500",
        "tcp://host:port, tcp://[::1:29500",
        "file:///path, file://",
        "file:///path, file:///",
        "file:///path, file://relative/store",
        "inproc://name, inproc://"
    })
    void anAddressOfAStoreInAnotherFormIsRefusedAndTheFormIsGiven(String form, String address) {
        assertEquals(
                "gradwire.rendezvous=" + address + " must have the form " + form,
                refusal(with(Map.of()), address));
    }

    @Test
    void aUserAndAPasswordInAnAddressAreMasked() {
        assertEquals(
                "gradwire.rendezvous=tcp://***@host must have the form tcp://host:port",
                refusal(with(Map.of()), "tcp://user:pass@word@host"));
    }

    @Test
    void twoProvidersOfOneSchemeAreRefused() {
        var twice = List.of(new FileStoreProvider(), new FileStoreProvider());
        String text =
                assertThrows(RpcConfigurationException.class, () -> new StoreFactory(twice))
                        .getMessage();
        assertTrue(text.startsWith("the scheme file:// has two stores, of "), text);
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
                "gradwire.rendezvous=tcp://localhost:http must have the form tcp://host:port",
                refusal(with(Map.of("MASTER_ADDR", "localhost", "MASTER_PORT", "http")), "env://"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void theEnvironmentNamesATcpStore(String host) throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        TestStores factory =
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
