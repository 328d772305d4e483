package org.gradwire.spring;

import static org.gradwire.spring.Contexts.alone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class SettingsTest {
    private static final String SECRET = "a secret of the group that no log may show";

    @ParameterizedTest
    @ValueSource(strings = {"gradwire.rpc-timeout", "gradwire.rpcTimeout", "gradwire.rpc_timeout"})
    void settingsAreProperties(String key) {
        alone().withPropertyValues(key + "=7s")
                .run(context ->
                        assertEquals(
                                Optional.of(Duration.ofSeconds(7)),
                                context.getBean(Rpc.class).rpcTimeout()));
    }

    @Test
    void environmentWinsOverFilesAndCommandLineOverBoth() {
        var environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource(
                                "systemEnvironment",
                                Map.of("GRADWIRE_RPC_TIMEOUT", "2s", "GRADWIRE_NAME", "two")));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("arguments", Map.of("gradwire.name", "first")));
        environment
                .getPropertySources()
                .addLast(
                        new MapPropertySource(
                                "file",
                                Map.of(
                                        "gradwire.name",
                                        "last",
                                        "gradwire.rpc-timeout",
                                        "9s",
                                        "gradwire.rank",
                                        3,
                                        "other.key",
                                        "x")));
        assertEquals(
                Map.of(
                        "gradwire.name",
                        "first",
                        "gradwire.rank",
                        "3",
                        "gradwire.rpc-timeout",
                        "2s"),
                EnvironmentSettings.read(
                        environment,
                        List.of(
                                "gradwire.name",
                                "gradwire.rank",
                                "gradwire.rpc-timeout",
                                "gradwire.group")));
    }

    @Test
    void unknownKeysAreRefused() {
        alone().withPropertyValues("gradwire.rpc-timeuot=7s")
                .run(context -> {
                    String text = String.valueOf(rootOf(context.getStartupFailure()).getMessage());
                    assertTrue(
                            text.startsWith(
                                    "unknown setting gradwire.rpc-timeuot in the options; did you mean gradwire.rpc-timeout? Known are: "),
                            text);
                });
    }

    @Test
    void ownSettingsMayComeFromSystemProperties() {
        alone().withSystemProperties(
                        "gradwire.spring.enabled=true", "gradwire.spring.shutdown-timeout=5s")
                .run(context -> assertNull(context.getStartupFailure()));
    }

    @Test
    void malformedShutdownTimeoutIsRefused() {
        alone().withPropertyValues("gradwire.spring.shutdown-timeout=soon")
                .run(context ->
                        assertEquals(
                                "gradwire.spring.shutdown-timeout=soon (from the options) must be a duration such as 500ms, 60s, 2m or PT1.5S",
                                rootOf(context.getStartupFailure()).getMessage()));
    }

    @Test
    void wrongSettingIsReportedWithItsOriginAndWithoutAStackTrace() {
        var application = new SpringApplication(GradwireAutoConfiguration.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(
                Map.of("gradwire.rnak", "0", "gradwire.authentication-token", SECRET));
        String all;
        try (Logs logs = Logs.open()) {
            RuntimeException failure =
                    assertThrows(RuntimeException.class, () -> application.run().close());
            assertInstanceOf(RpcConfigurationException.class, rootOf(failure));
            all = logs.text();
        }
        assertTrue(all.contains("APPLICATION FAILED TO START"), all);
        assertTrue(
                all.contains(
                        "unknown setting gradwire.rnak in the options; did you mean gradwire.rank?"),
                all);
        assertTrue(all.contains("gradwire.rnak - \"gradwire.rnak\" from property source"), all);
        assertFalse(all.contains("\tat "), all);
        assertFalse(all.contains(SECRET), all);
    }

    private static Throwable rootOf(@Nullable Throwable failure) {
        assertNotNull(failure, "it has started");
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
