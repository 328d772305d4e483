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
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Settings from several sources. The first source with a key wins: the program's options, system
 * properties, environment variables, the file {@code gradwire.properties}, the variables of the
 * scheduler, the defaults.
 */
public final class LayeredSettings implements Settings {
    private static final String PREFIX = "gradwire.";
    private static final String FILE = "gradwire.properties";

    /** The origin of a value that no source sets. */
    public static final String DEFAULT = "the default";

    private static final Pattern SERVICE =
            Pattern.compile(
                    ".*_SERVICE_HOST|.*_SERVICE_PORT(_\\w+)?|.*_PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");

    /** Variables by which programs find a distribution and its JDK. */
    private static final Set<String> PLACES = Set.of("GRADWIRE_HOME", "GRADWIRE_JAVA_HOME");

    private record Layer(String origin, Map<String, String> values) {
        @Override
        public String toString() {
            return origin + " " + values.keySet(); // a value may be secret
        }
    }

    private final Map<String, Setting> known = new TreeMap<>();
    private final List<Layer> layers = new ArrayList<>();

    /**
     * Read all sources.
     *
     * <p>The token of {@link RuntimeSettings#AUTHENTICATION_TOKEN_FILE} is read here, once, and
     * becomes the value of {@link Settings#AUTHENTICATION_TOKEN}.
     *
     * @throws RpcConfigurationException when a source has an unknown key, or the token is invalid
     */
    public static LayeredSettings collect(
            RpcOptions options, Collection<Setting> known, ClassLoader loader) {
        return collect(options, known, systemProperties(), System.getenv(), loader);
    }

    static LayeredSettings collect(
            RpcOptions options,
            Collection<Setting> known,
            Map<String, String> systemProperties,
            Map<String, String> environment,
            ClassLoader loader) {
        var settings = new LayeredSettings(known);
        settings.add("the options", options.settings());
        settings.add("system properties", systemProperties);
        settings.layers.add(
                new Layer("environment variables", settings.fromEnvironment(environment)));
        settings.add(FILE, file(loader));
        new SchedulerSettings(settings, environment)
                .read()
                .ifPresent(assigned -> settings.add(assigned.origin(), assigned.values()));
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

    /** Add defaults, below all other sources. */
    public void addDefaults(String origin, Map<String, String> values) {
        add(origin, values);
    }

    private void add(String origin, Map<String, String> values) {
        for (String key : values.keySet()) {
            if (!known.containsKey(key)) {
                throw unknown(key, origin, known.keySet());
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

    private static RpcConfigurationException unknown(
            String key, String origin, Collection<String> known) {
        String all = "nown are: " + String.join(", ", known);
        return new RpcConfigurationException(
                "unknown setting %s in %s; %s"
                        .formatted(
                                key,
                                origin,
                                Spelling.nearest(key, known)
                                        .map(near -> "did you mean " + near + "? K" + all)
                                        .orElse("k" + all)));
    }

    private Map<String, String> fromEnvironment(Map<String, String> environment) {
        Map<String, String> keys = new TreeMap<>();
        known.keySet().forEach(key -> keys.put(Settings.environmentName(key), key));
        var values = new TreeMap<String, String>();
        environment.forEach((name, value) -> {
            String key = keys.get(name);
            if (key != null) {
                values.put(key, value);
            } else if (name.startsWith(Settings.environmentName(PREFIX)) && !isOther(name)) {
                throw unknown(name, "environment variables", keys.keySet());
            }
        });
        return values;
    }

    /**
     * {@return whether a variable is not a setting: Kubernetes sets some for a service named like
     * this library}
     */
    private static boolean isOther(String name) {
        return PLACES.contains(name) || SERVICE.matcher(name).matches();
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
                .orElse(DEFAULT);
    }
}
