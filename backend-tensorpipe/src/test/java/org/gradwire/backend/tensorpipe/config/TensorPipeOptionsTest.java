package org.gradwire.backend.tensorpipe.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.MapSettings;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.Map;

/** Settings that depend on each other. */
class TensorPipeOptionsTest {
    @ParameterizedTest
    @CsvSource({"1408, 1m, 64768", "1408, 64k, 7040", "8192, 1m, 57344", "65504, 512k, 65504"})
    void overUdpAeronSendsWholeDatagramsAtOnceAndAtMostAnEighthOfATerm(
            String datagram, String term, int expected) {
        var options =
                TensorPipeOptions.read(
                        MapSettings.with(Map.of("mtu", datagram, "udp-term-length", term)),
                        "worker0");
        assertEquals(expected, options.udpMtu());
    }

    private static final Map<String, String> TOKEN =
            Map.of(Settings.AUTHENTICATION_TOKEN, "a token of some length");

    @Test
    void encryptionFollowsTheToken() {
        assertEquals(Encryption.NONE, read(Map.of()).encryption());
        assertEquals(Encryption.NETWORK, read(TOKEN).encryption());
        for (Encryption each : Encryption.values()) {
            assertEquals(each, read(with(TOKEN, each.text())).encryption());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"network", "all"})
    void encryptionNeedsAToken(String encryption) {
        String text = refusal(with(Map.of(), encryption));
        assertTrue(text.startsWith("gradwire.encryption=" + encryption + " (from test)"), text);
        assertTrue(text.contains("gradwire.authentication-token-file"), text);
    }

    @Test
    void otherValuesOfEncryptionAreRefusedWithTheKnownOnes() {
        assertEquals(
                "gradwire.encryption=host (from test) must be one of [network, all, none]",
                refusal(with(TOKEN, "host")));
    }

    private static String refusal(Map<String, String> settings) {
        return String.valueOf(
                assertThrows(RpcConfigurationException.class, () -> read(settings)).getMessage());
    }

    @Test
    void withAllNoMemoryIsShared() {
        TensorPipeOptions options = read(with(TOKEN, "all"));
        assertTrue(options.isSealed() && options.forceUdp() && options.tcp());
        assertFalse(options.singleCopy());
        TensorPipeOptions shared = read(with(TOKEN, "network"));
        assertTrue(shared.isSealed() && !shared.forceUdp() && shared.singleCopy());
    }

    /** No value of the transport permits shared memory where all is encrypted. */
    @ParameterizedTest
    @CsvSource({"auto, true", "udp, true", "ipc, false"})
    void noTransportContradictsAll(String transport, boolean isValid) {
        var settings = new HashMap<>(with(TOKEN, "all"));
        settings.put("transport", transport);
        if (isValid) {
            assertTrue(read(settings).forceUdp());
        } else {
            assertEquals(
                    "gradwire.tensorpipe.transport=ipc (from test) must be one of [auto, udp]",
                    refusal(settings));
        }
    }

    private static TensorPipeOptions read(Map<String, String> settings) {
        return TensorPipeOptions.read(MapSettings.with(settings), "worker0");
    }

    private static Map<String, String> with(Map<String, String> settings, String encryption) {
        var all = new HashMap<>(settings);
        all.put(SettingKeys.ENCRYPTION, encryption);
        return all;
    }

    /** A datagram has 32 bytes less for frames, and there are as many of them. */
    @ParameterizedTest
    @CsvSource({"1408, 1m, 63296", "1408, 64k, 6880", "65504, 512k, 65472"})
    void sealedDatagramsAreNoLonger(String datagram, String term, int expected) {
        var options =
                read(
                        Map.of(
                                Settings.AUTHENTICATION_TOKEN,
                                "a token of some length",
                                "mtu",
                                datagram,
                                "udp-term-length",
                                term));
        assertEquals(expected, options.udpMtu());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "[::]"})
    void theWildcardIsNoAddressForPeers(String host) {
        var settings = MapSettings.with(Map.of("host", host));
        var failure =
                assertThrows(
                        RpcConfigurationException.class,
                        () -> TensorPipeOptions.read(settings, "worker0"));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains("gradwire.tensorpipe.host=" + host), text);
        assertTrue(text.contains("such as 10.0.0.5"), text);
    }
}
