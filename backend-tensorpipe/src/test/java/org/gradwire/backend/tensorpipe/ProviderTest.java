package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The provider, its settings and their documentation. */
class ProviderTest {
    private static final Path README = Path.of("README.md");

    @Test
    void isProvidedByAModuleThatExportsNothing() {
        var module = TensorPipeProvider.class.getModule().getDescriptor();
        assertEquals(
                List.of("org.gradwire.backend.tensorpipe.TensorPipeProvider"),
                module.provides().iterator().next().providers());
        assertTrue(module.exports().isEmpty());
        assertTrue(new TensorPipeProvider().obstacle(MapSettings.with(Map.of())).isEmpty());
        assertEquals("tensorpipe", new TensorPipeProvider().name());
    }

    @Test
    void defaultsAreValid() {
        TensorPipeOptions options = TensorPipeOptions.read(MapSettings.with(Map.of()), "worker0");
        assertEquals(2 << 20, options.ipcTermLength(8L << 30, 2));
        assertEquals(2 << 20, options.ipcTermLength(8L << 30, 13));
        assertEquals(1 << 20, options.ipcTermLength(8L << 30, 14));
        assertEquals(64 << 10, options.ipcTermLength(8L << 30, 64));
        assertEquals(1 << 20, options.ipcTermLength(64L << 20, 4));
        assertEquals(512 << 10, options.ipcTermLength(64L << 20, 5));
        assertEquals(5_000_000_000L, options.livenessNanos());
        assertEquals(1L << 31, options.maxMessageBytes());
        assertEquals(65504, TensorPipeOptions.ipcMtu(1 << 20));
    }

    @ParameterizedTest
    @CsvSource({
        "driver, somewhere",
        "transport, tcp",
        "term-length, 100k",
        "term-length, 32k",
        "term-length, 2g",
        "udp-term-length, 3m",
        "mtu, 1400",
        "mtu, 1410",
        "mtu, 128k",
        "idle, never",
        "liveness, 10ms",
        "connect-timeout, soon",
        "send-queue-bytes, 0",
        "max-message-bytes, 3g",
        "single-copy, maybe"
    })
    void wrongSettingsAreNamed(String key, String value) {
        var failure =
                assertThrows(
                        RpcConfigurationException.class,
                        () ->
                                TensorPipeOptions.read(
                                        MapSettings.with(Map.of(key, value)), "worker0"));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains("gradwire.tensorpipe." + key + "=" + value), text);
        assertTrue(text.contains("(from test)"), text);
    }

    @Test
    void smallTermsHaveSmallFrames() {
        TensorPipeOptions options =
                TensorPipeOptions.read(MapSettings.with(Map.of("term-length", "64k")), "worker0");
        assertEquals(8192, TensorPipeOptions.ipcMtu(options.ipcTermLength(1L << 30, 64)));
    }

    @Test
    void everySettingHasADefaultOrNoneAndASentence() {
        assertTrue(SettingKeys.ALL.size() > 10);
        for (Setting setting : SettingKeys.ALL) {
            assertTrue(setting.key().startsWith("gradwire.tensorpipe."), setting::key);
            assertTrue(setting.description().endsWith("."), setting::key);
        }
    }

    @Test
    void theReadmeListsExactlyTheFigures() throws Exception {
        Pattern row = Pattern.compile("\\| `(tensorpipe\\.[a-z.-]+)(<id>)?` \\|.*");
        Set<String> written =
                Files.readAllLines(README).stream()
                        .map(row::matcher)
                        .filter(java.util.regex.Matcher::matches)
                        .map(match -> match.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        try (var world = new World(2, Map.of("driver", "embedded"))) {
            Set<String> given =
                    world.node(0).agent.debugInfo().keySet().stream()
                            .map(key -> key.replaceAll("\\d+$", ""))
                            .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(given, written);
        }
    }
}
