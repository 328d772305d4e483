package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
