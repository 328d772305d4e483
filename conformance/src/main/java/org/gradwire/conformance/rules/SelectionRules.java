package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.check;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.MapSettings;
import org.gradwire.conformance.harness.MemoryStore;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Setting;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Rules about the discovery and configuration of a backend. */
final class SelectionRules {
    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "SELECT-1",
                            "MUST register as a service under a stable lower-case name, with settings below gradwire.NAME. only.",
                            "a name with capitals or blanks, a setting under another prefix or without a description",
                            SelectionRules::isNamedWell),
                    Rule.of(
                                    "SELECT-2",
                                    "MUST refuse an invalid setting when the agent is created, with an RpcConfigurationException that names key and value.",
                                    "a value that falls back to the default, or that is first read when it is used",
                                    SelectionRules::refusesWrongSettings)
                            .where("wrong settings", it -> !it.wrongSettings().isEmpty()));

    private SelectionRules() {}

    private static void isNamedWell(BackendProvider provider, BackendUnderTest backend) {
        String name = provider.name();
        check(
                name.matches("[a-z][a-z0-9-]*"),
                "the name '%s' is not of lower-case letters, digits and hyphens",
                name);
        check(
                name.equals(backend.providerName()),
                "the provider chosen by '%s' calls itself '%s'",
                backend.providerName(),
                name);
        Set<String> keys = new HashSet<>();
        for (Setting setting : provider.settings()) {
            check(
                    setting.key().startsWith("gradwire." + name + "."),
                    "setting '%s' is not below gradwire.%s.",
                    setting.key(),
                    name);
            check(keys.add(setting.key()), "setting '%s' is defined twice", setting.key());
            check(
                    !setting.description().isBlank(),
                    "setting '%s' has no description",
                    setting.key());
        }
        Optional<String> obstacle = provider.obstacle(MapSettings.of(provider, backend.settings()));
        check(obstacle.isEmpty(), "it cannot work here: %s", obstacle.orElse(""));
    }

    private static void refusesWrongSettings(BackendProvider provider, BackendUnderTest backend) {
        backend.capabilities()
                .wrongSettings()
                .forEach((key, value) -> {
                    RpcConfigurationException refusal = refusal(provider, backend, key, value);
                    String text = String.valueOf(refusal.getMessage());
                    check(
                            text.contains(key) && text.contains(value),
                            "the error about %s=%s does not name both: %s",
                            key,
                            value,
                            text);
                });
    }

    private static RpcConfigurationException refusal(
            BackendProvider provider, BackendUnderTest backend, String key, String value) {
        var settings =
                MapSettings.of(provider, backend.withSettings(Map.of(key, value)).settings());
        var context =
                new AgentContext(
                        new WorkerInfo(0, "worker0"),
                        settings,
                        new MemoryStore(),
                        BufferAllocator.plain());
        try (RpcAgent agent = provider.create(context)) {
            throw new AssertionError("%s=%s made %s".formatted(key, value, agent));
        } catch (RpcConfigurationException expected) {
            return expected;
        }
    }
}
