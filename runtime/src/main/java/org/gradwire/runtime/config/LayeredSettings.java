package org.gradwire.runtime.config;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Settings looked for in layers, of which the first that has a key wins: the program's options,
 * system properties, environment variables, the file {@code gradwire.properties}, and the defaults.
 */
public final class LayeredSettings implements Settings {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.config");
    private static final String PREFIX = "gradwire.";
    private static final String FILE = "gradwire.properties";

    private record Layer(String origin, Map<String, String> values) {
        @Override
        public String toString() {
            return origin + " " + values.keySet(); // a value may be the token
        }
    }

    private final Map<String, Setting> known = new TreeMap<>();
    private final List<Layer> layers = new ArrayList<>();

    /**
     * Collect the layers.
     *
     * <p>The token of {@link RuntimeSettings#AUTHENTICATION_TOKEN_FILE} is read here, once, and
     * becomes the value of {@link Settings#AUTHENTICATION_TOKEN}.
     *
     * @throws RpcConfigurationException when the options, the system properties or the file have a
     *     key that is not among the known ones, or the token cannot be used
     */
    public static LayeredSettings collect(
            RpcOptions options, Collection<Setting> known, ClassLoader loader) {
        var settings = new LayeredSettings(known);
        settings.add("the options", options.settings());
        settings.add("system properties", systemProperties());
        settings.layers.add(
                new Layer("environment variables", settings.fromEnvironment(System.getenv())));
        settings.add(FILE, file(loader));
        settings.readTokenFile();
        return settings;
    }

    private LayeredSettings(Collection<Setting> known) {
        known.forEach(setting -> this.known.put(setting.key(), setting));
    }

    private void readTokenFile() {
        Optional<String> token = AuthenticationToken.resolve(this);
        Optional<String> file = find(RuntimeSettings.AUTHENTICATION_TOKEN_FILE);
        if (token.isPresent() && file.isPresent()) {
            layers.addFirst(
                    new Layer(
                            "the file " + file.get(),
                            Map.of(Settings.AUTHENTICATION_TOKEN, token.get())));
        }
    }

    /** Add values that count only where no other layer has one. */
    public void addDefaults(String origin, Map<String, String> values) {
        add(origin, values);
    }

    private void add(String origin, Map<String, String> values) {
        for (String key : values.keySet()) {
            if (!known.containsKey(key)) {
                throw new RpcConfigurationException(
                        "unknown setting %s in %s; known are: %s"
                                .formatted(key, origin, String.join(", ", known.keySet())));
            }
        }
        layers.add(new Layer(origin, values));
    }

    private static Map<String, String> systemProperties() {
        var values = new TreeMap<String, String>();
        for (String key : System.getProperties().stringPropertyNames()) {
            if (key.startsWith(PREFIX)) {
                values.put(key, System.getProperty(key, ""));
            }
        }
        return values;
    }

    private Map<String, String> fromEnvironment(Map<String, String> environment) {
        var values = new TreeMap<String, String>();
        var unknown = new TreeSet<>(environment.keySet());
        unknown.removeIf(name -> !name.startsWith(Settings.environmentName(PREFIX)));
        for (String key : known.keySet()) {
            String name = Settings.environmentName(key);
            String value = environment.get(name);
            if (value != null) {
                values.put(key, value);
                unknown.remove(name);
            }
        }
        if (!unknown.isEmpty()) {
            // Others may have set them for purposes of their own, so this is no error.
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "environment variables that are no settings: {0}",
                    unknown);
        }
        return values;
    }

    private static Map<String, String> file(ClassLoader loader) {
        var properties = new Properties();
        try (InputStream stream = loader.getResourceAsStream(FILE)) {
            if (stream != null) {
                properties.load(stream);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
        var values = new TreeMap<String, String>();
        properties
                .stringPropertyNames()
                .forEach(key -> values.put(key, properties.getProperty(key)));
        return values;
    }

    @Override
    public Optional<String> find(String key) {
        Setting setting = known.get(key);
        if (setting == null) {
            throw new IllegalArgumentException(
                    "setting " + key + " was not declared by its provider");
        }
        return layers.stream()
                .flatMap(layer -> Optional.ofNullable(layer.values.get(key)).stream())
                .findFirst()
                .or(() -> Optional.of(setting.defaultValue()))
                .filter(value -> !value.isBlank());
    }

    @Override
    public String origin(String key) {
        return layers.stream()
                .filter(layer -> layer.values.containsKey(key))
                .findFirst()
                .map(Layer::origin)
                .orElse("the default");
    }
}
