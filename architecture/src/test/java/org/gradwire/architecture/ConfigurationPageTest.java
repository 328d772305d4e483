package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code docs/configuration.md} has the settings that the modules of the distribution and the
 * starter for Spring Boot declare. {@code -Drewrite.descriptors=true} rewrites its tables.
 */
class ConfigurationPageTest {
    private static final Path PAGE = Reactor.root().resolve("docs/configuration.md");
    private static final boolean REWRITE = Boolean.getBoolean("architecture.rewrite.descriptors");
    private static final Pattern TABLE =
            Pattern.compile("(?s)(<!-- settings of (\\S+) -->\n)(.*?)(\n\n|$)");
    private static final String RUNTIME = "org.gradwire.runtime";
    private static final String RUNTIME_SETTINGS = "org.gradwire.runtime.config";

    @Test
    void pageHasTheSettingsOfEveryModule() throws Exception {
        Map<String, String> declared = new LinkedHashMap<>();
        declaredSettings().forEach((name, settings) -> declared.put(name, table(settings)));
        if (REWRITE) {
            rewrite(declared);
        }
        Map<String, String> written = new LinkedHashMap<>();
        Matcher tables = TABLE.matcher(Files.readString(PAGE));
        while (tables.find()) {
            written.put(tables.group(2), tables.group(3).strip());
        }
        assertFalse(declared.isEmpty());
        assertEquals(declared, written, "see the comment of the test");
    }

    private static void rewrite(Map<String, String> declared) throws IOException {
        String page = Files.readString(PAGE);
        Files.writeString(
                PAGE,
                TABLE.matcher(page)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(
                                        found.group(1)
                                                + declared.getOrDefault(found.group(2), "")
                                                + found.group(4))));
    }

    private static String table(List<?> settings) {
        var rows = new ArrayList<String>(List.of("| key | default | meaning |", "|---|---|---|"));
        for (Object setting : settings) {
            String defaultValue = (String) call(setting, "defaultValue");
            rows.add(
                    "| `%s` | %s | %s |"
                            .formatted(
                                    call(setting, "key"),
                                    defaultValue.isEmpty() ? "" : "`" + defaultValue + "`",
                                    call(setting, "description").toString().replace("<", "&lt;")));
        }
        return String.join("\n", rows);
    }

    /** Return the settings that each provider of the modules declares, if it declares any. */
    private static Map<String, List<?>> declaredSettings() throws ReflectiveOperationException {
        ModuleLayer layer = layer();
        Map<String, List<?>> all = new LinkedHashMap<>();
        Class<?> runtime =
                Class.forName(
                        layer.findModule(RUNTIME).orElseThrow(),
                        RUNTIME_SETTINGS + ".RuntimeSettings");
        all.put("runtime", (List<?>) runtime.getField("ALL").get(null));
        for (String service :
                List.of("BackendProvider", "RpcExtensionProvider", "store.StoreProvider")) {
            Class<?> type =
                    layer.findLoader("org.gradwire.spi").loadClass("org.gradwire.spi." + service);
            for (Object provider : ServiceLoader.load(layer, type)) {
                List<?> settings = (List<?>) call(type, provider, "settings");
                if (!settings.isEmpty()) {
                    all.put(name(type, provider), settings);
                }
            }
        }
        all.put("spring", settingsOfTheStarter());
        return all;
    }

    /** {@return the name of a provider; the shortest scheme of a store} */
    private static String name(Class<?> type, Object provider) throws ReflectiveOperationException {
        if (!type.getSimpleName().equals("StoreProvider")) {
            return (String) call(type, provider, "name");
        }
        Set<?> schemes = (Set<?>) call(type, provider, "schemes");
        return schemes.stream()
                .map(String::valueOf)
                .min(Comparator.comparingInt(String::length))
                .orElseThrow();
    }

    /**
     * The starter is only on the class path of these tests: the distribution has no jars of Spring.
     */
    private static List<Setting> settingsOfTheStarter() {
        return ServiceLoader.load(RpcExtensionProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("spring"))
                .findFirst()
                .orElseThrow()
                .settings();
    }

    private static ModuleLayer layer() {
        ModuleFinder lib =
                ModuleFinder.of(
                        Reactor.distribution().resolve("lib"),
                        Reactor.distribution().resolve("opentelemetry-lib"),
                        Reactor.distribution().resolve("cuda-lib"));
        Configuration configuration =
                ModuleLayer.boot()
                        .configuration()
                        .resolveAndBind(lib, ModuleFinder.of(), List.of(RUNTIME));
        ModuleLayer.Controller controller =
                ModuleLayer.defineModulesWithOneLoader(
                        configuration,
                        List.of(ModuleLayer.boot()),
                        ClassLoader.getPlatformClassLoader());
        controller.addExports(
                controller.layer().findModule(RUNTIME).orElseThrow(),
                RUNTIME_SETTINGS,
                ConfigurationPageTest.class.getModule());
        return controller.layer();
    }

    private static Object call(Object target, String method) {
        return call(target.getClass(), target, method);
    }

    private static Object call(Class<?> type, Object target, String method) {
        try {
            return type.getMethod(method).invoke(target);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
