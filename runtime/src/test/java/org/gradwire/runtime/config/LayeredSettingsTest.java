package org.gradwire.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sources of settings, and the errors for unknown ones. */
class LayeredSettingsTest {
    private static LayeredSettings collect(
            Map<String, String> options,
            Map<String, String> properties,
            Map<String, String> environment) {
        RpcOptions.Builder builder = RpcOptions.builder();
        options.forEach(builder::set);
        return LayeredSettings.collect(
                builder.build(),
                RuntimeSettings.ALL,
                properties,
                environment,
                ClassLoader.getPlatformClassLoader());
    }

    private static String refused(
            Map<String, String> options,
            Map<String, String> properties,
            Map<String, String> environment) {
        return String.valueOf(
                assertThrows(
                                RpcConfigurationException.class,
                                () -> collect(options, properties, environment))
                        .getMessage());
    }

    @Test
    void theFirstLayerWithAKeyWins() {
        Map<String, String> set = Map.of("gradwire.rank", "1");
        Map<String, String> properties = Map.of("gradwire.rank", "2", "gradwire.name", "b");
        Map<String, String> environment =
                Map.of("GRADWIRE_RANK", "3", "GRADWIRE_NAME", "c", "GRADWIRE_WORLD_SIZE", "4");
        LayeredSettings settings = collect(set, properties, environment);
        assertEquals(Optional.of("1"), settings.find("gradwire.rank"));
        assertEquals("the options", settings.origin("gradwire.rank"));
        assertEquals(Optional.of("b"), settings.find("gradwire.name"));
        assertEquals("system properties", settings.origin("gradwire.name"));
        assertEquals(Optional.of("4"), settings.find("gradwire.world-size"));
        assertEquals("environment variables", settings.origin("gradwire.world-size"));
        assertEquals(Optional.of("60s"), settings.find("gradwire.rpc-timeout"));
        assertEquals("the default", settings.origin("gradwire.rpc-timeout"));
    }

    @ParameterizedTest
    @CsvSource({
        "gradwire.rpc-timout, gradwire.rpc-timeout",
        "gradwire.rcp-timeout, gradwire.rpc-timeout",
        "gradwire.rnak, gradwire.rank",
        "gradwire.worldsize, gradwire.world-size",
        "gradwire.world.size, gradwire.world-size",
        "gradwire.retry, gradwire.retries"
    })
    void aMistypedKeyIsRefusedWithTheOneThatWasMeant(String mistyped, String meant) {
        String option = refused(Map.of(mistyped, "1"), Map.of(), Map.of());
        String start = "unknown setting " + mistyped + " in %s; did you mean " + meant + "? Known";
        assertTrue(option.startsWith(start.formatted("the options")), option);
        String property = refused(Map.of(), Map.of(mistyped, "1"), Map.of());
        assertTrue(property.startsWith(start.formatted("system properties")), property);
    }

    @ParameterizedTest
    @CsvSource({
        "GRADWIRE_RPC_TIMOUT, GRADWIRE_RPC_TIMEOUT",
        "GRADWIRE_WORLDSIZE, GRADWIRE_WORLD_SIZE",
        "GRADWIRE_AUTHENTICATION_TOKENFILE, GRADWIRE_AUTHENTICATION_TOKEN_FILE",
        "GRADWIRE_BACKENDS, GRADWIRE_BACKEND"
    })
    void aMistypedEnvironmentVariableIsRefused(String mistyped, String meant) {
        String text = refused(Map.of(), Map.of(), Map.of(mistyped, "1", "HOME", "/root"));
        String start =
                "unknown setting %s in environment variables; did you mean %s? Known are: GRADWIRE_"
                        .formatted(mistyped, meant);
        assertTrue(text.startsWith(start), text);
    }

    @Test
    void whatIsLikeNoKeyIsRefusedWithTheListOfAll() {
        String text = refused(Map.of(), Map.of(), Map.of("GRADWIRE_PIGEONS_PER_HOUR", "1"));
        String start =
                "unknown setting GRADWIRE_PIGEONS_PER_HOUR in environment variables; known are: GRADWIRE_";
        assertTrue(text.startsWith(start), text);
        for (var setting : RuntimeSettings.ALL) {
            assertTrue(text.contains(org.gradwire.spi.Settings.environmentName(setting.key())));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GRADWIRE_HOME",
                "GRADWIRE_WORKERS_SERVICE_HOST",
                "GRADWIRE_WORKERS_SERVICE_PORT",
                "GRADWIRE_WORKERS_SERVICE_PORT_STORE",
                "GRADWIRE_PORT",
                "GRADWIRE_PORT_29500_TCP",
                "GRADWIRE_PORT_29500_UDP_ADDR",
                "_GRADWIRE_RUN",
                "GRADWIRED"
            })
    void variablesThatOthersMakeArePassedOver(String name) {
        LayeredSettings settings = collect(Map.of(), Map.of(), Map.of(name, "tcp://10.0.0.1:1"));
        assertEquals(Optional.of("60s"), settings.find("gradwire.rpc-timeout"));
    }

    @ParameterizedTest
    @CsvSource({"'', '', 0", "a, '', 1", "'', ab, 2", "kitten, sitting, 3", "abc, abc, 0"})
    void theDistanceOfWordsCountsEdits(String from, String to, int distance) {
        assertEquals(distance, Spelling.distance(from, to));
        assertEquals(distance, Spelling.distance(to, from));
        assertEquals(Optional.empty(), Spelling.nearest("abcdef", List.of("uvwxyz")));
        assertEquals(Optional.of("abc"), Spelling.nearest("abd", List.of("xyz", "abc", "")));
    }
}
