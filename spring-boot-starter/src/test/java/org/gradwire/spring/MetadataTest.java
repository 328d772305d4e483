package org.gradwire.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Compares the metadata that editors read with the settings that the modules declare; {@code
 * -Drewrite.descriptors=true} writes it again.
 */
class MetadataTest {
    private static final Path FILE =
            Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");
    private static final boolean REWRITE = Boolean.getBoolean("rewrite.descriptors");

    @Test
    void metadataHasTheSettingsOfEveryModule() throws IOException {
        String expected = metadata(settings());
        if (REWRITE) {
            Files.writeString(FILE, expected);
        }
        assertEquals(expected, Files.readString(FILE), "see the comment of the test");
    }

    @Test
    void metadataNamesEveryModule() {
        List<String> keys = settings().stream().map(Setting::key).toList();
        for (String key :
                List.of(
                        "gradwire.rank",
                        "gradwire.netty.port",
                        "gradwire.tensorpipe.mtu",
                        "gradwire.faulty.seed",
                        "gradwire.devices",
                        "gradwire.opentelemetry",
                        "gradwire.spring.shutdown-timeout")) {
            assertTrue(keys.contains(key), key + " is missing in " + keys);
        }
    }

    @Test
    void secretHasNoDefault() {
        Setting token =
                settings().stream()
                        .filter(setting -> setting.key().equals("gradwire.authentication-token"))
                        .findFirst()
                        .orElseThrow();
        assertFalse(property(token).contains("defaultValue"));
    }

    private static List<Setting> settings() {
        List<Setting> all = new ArrayList<>(RuntimeSettings.ALL);
        ServiceLoader.load(BackendProvider.class)
                .forEach(provider -> all.addAll(provider.settings()));
        ServiceLoader.load(RpcExtensionProvider.class)
                .forEach(provider -> all.addAll(provider.settings()));
        all.sort(Comparator.comparing(Setting::key));
        return all;
    }

    private static String metadata(List<Setting> settings) {
        return settings.stream()
                .map(MetadataTest::property)
                .collect(
                        Collectors.joining(
                                ",\n",
                                "{\n  \"groups\": [],\n  \"properties\": [\n",
                                "\n  ],\n  \"hints\": []\n}\n"));
    }

    private static String property(Setting setting) {
        String type = type(setting.defaultValue());
        List<String> lines =
                new ArrayList<>(
                        List.of(
                                line("name", quoted(setting.key())),
                                line("type", quoted("java.lang." + type)),
                                line("description", quoted(setting.description()))));
        if (!setting.defaultValue().isEmpty()) {
            String value = setting.defaultValue();
            lines.add(line("defaultValue", type.equals("String") ? quoted(value) : value));
        }
        return lines.stream().collect(Collectors.joining(",\n", "    {\n", "\n    }"));
    }

    private static String line(String name, String value) {
        return "      \"%s\": %s".formatted(name, value);
    }

    /** Durations and sizes have Gradwire's own format, so their type in the metadata is a text. */
    private static String type(String defaultValue) {
        return switch (defaultValue) {
            case "true", "false" -> "Boolean";
            case String number when number.matches("\\d+") -> "Integer";
            default -> "String";
        };
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
