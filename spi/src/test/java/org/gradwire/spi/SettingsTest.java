package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The typed readers of settings: accepted values, and the errors for others. */
class SettingsTest {

    private static Settings of(String value) {
        return new Settings() {
            @Override
            public Optional<String> find(String key) {
                return Optional.of(value);
            }

            @Override
            public String origin(String key) {
                return "the options";
            }
        };
    }

    private static void refused(String text, Executable read) {
        assertEquals(text, assertThrows(RpcConfigurationException.class, read).getMessage());
    }

    @Test
    void aMissingValueSaysWhereItMayBeSet() {
        Settings nothing =
                new Settings() {
                    @Override
                    public Optional<String> find(String key) {
                        return Optional.empty();
                    }

                    @Override
                    public String origin(String key) {
                        return "the default";
                    }
                };
        refused(
                "gradwire.world-size is not set; set it in the options, as system property gradwire.world-size or as environment variable GRADWIRE_WORLD_SIZE",
                () -> nothing.text("gradwire.world-size"));
    }

    @Test
    void aWholeNumberLiesWithinItsBounds() {
        assertEquals(-3, of(" -3 ").integer("k", -3, 3));
        assertEquals(3, of("3").integer("k", -3, 3));
        for (String wrong : List.of("4", "-4", "1.5", "three", "", "99999999999")) {
            refused(
                    "k=" + wrong + " (from the options) must be an integer from -3 to 3",
                    () -> of(wrong).integer("k", -3, 3));
        }
    }

    @Test
    void aSwitchIsTrueOrFalse() {
        assertEquals(true, of("TRUE").flag("k"));
        assertEquals(false, of(" false ").flag("k"));
        refused("k=yes (from the options) must be true or false", () -> of("yes").flag("k"));
    }

    @Test
    void aChoiceIsOneOfItsWords() {
        assertEquals("log", of("log").choice("k", List.of("raise", "log")));
        refused(
                "k=Log (from the options) must be one of [raise, log]",
                () -> of("Log").choice("k", List.of("raise", "log")));
    }

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "60s, PT1M",
        "2m, PT2M",
        "1.5s, PT1.5S",
        "0s, PT0S",
        "0.001ms, PT0.000001S",
        "PT1.5S, PT1.5S",
        "P2D, PT48H",
        "' 3 s ', PT3S"
    })
    void aDurationHasAUnitOrIsIso(String text, String iso) {
        assertEquals(Duration.parse(iso), of(text).duration("k"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "s", "-1s", "1 h", "1..5s", "", "soon", "1e3s"})
    void whatIsNoDurationIsRefused(String text) {
        refused(
                "k="
                        + text
                        + " (from the options) must be a duration such as 500ms, 60s, 2m or PT1.5S",
                () -> of(text).duration("k"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "65536, 65536",
        "64k, 65536",
        "8m, 8388608",
        "2G, 2147483648",
        "' 1K ', 1024"
    })
    void aSizeIsInBytesOrPowersOf1024(String text, long bytes) {
        assertEquals(bytes, of(text).bytes("k"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1t", "1.5k", "k", "", "1kb", "9999999999999", "999999999999g"})
    void whatIsNoSizeIsRefused(String text) {
        refused(
                "k=" + text + " (from the options) must be a size such as 65536, 64k, 8m or 2g",
                () -> of(text).bytes("k"));
    }

    @Test
    void theEnvironmentVariableOfAKeyIsInUpperCase() {
        assertEquals("GRADWIRE_RPC_TIMEOUT", Settings.environmentName("gradwire.rpc-timeout"));
    }
}
