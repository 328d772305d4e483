package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** Settings that depend on each other. */
class OptionsTest {
    @ParameterizedTest
    @CsvSource({"1408, 1m, 64768", "1408, 64k, 7040", "8192, 1m, 57344", "65504, 512k, 65504"})
    void overUdpAeronSendsWholeDatagramsAtOnceAndAtMostAnEighthOfATerm(
            String datagram, String term, int expected) {
        var options =
                Options.read(MapSettings.with(Map.of("mtu", datagram, "udp-term-length", term)));
        assertEquals(expected, options.udpMtu());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "[::]"})
    void theWildcardIsNoAddressForPeers(String host) {
        var settings = MapSettings.with(Map.of("host", host));
        var failure = assertThrows(RpcConfigurationException.class, () -> Options.read(settings));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains("gradwire.tensorpipe.host=" + host), text);
        assertTrue(text.contains("such as 10.0.0.5"), text);
    }
}
