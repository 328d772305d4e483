package org.gradwire.spi.process;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Optional;

/**
 * Settings that hold for the whole JVM, whichever worker of it uses them: a system property, else
 * an environment variable, else the default.
 */
public final class JvmSettings implements Settings {
    private final List<Setting> declared;

    /** Create settings with these declarations. */
    public JvmSettings(List<Setting> declared) {
        this.declared = List.copyOf(declared);
    }

    @Override
    public Optional<String> find(String key) {
        String value = System.getProperty(key);
        if (value == null) {
            value = System.getenv(Settings.environmentName(key));
        }
        return Optional.ofNullable(value)
                .or(() -> defaultValue(key))
                .filter(text -> !text.isBlank());
    }

    private Optional<String> defaultValue(String key) {
        return declared.stream()
                .filter(setting -> setting.key().equals(key))
                .map(Setting::defaultValue)
                .findFirst();
    }

    @Override
    public String origin(String key) {
        if (System.getProperty(key) != null) {
            return "system property " + key;
        }
        String variable = Settings.environmentName(key);
        return System.getenv(variable) != null ? "environment variable " + variable : "default";
    }

    /**
     * Check that the settings of a worker do not differ from these.
     *
     * @throws RpcConfigurationException when one was set where it has no effect
     */
    public void requireNoOther(Settings worker) {
        for (Setting setting : declared) {
            String key = setting.key();
            if (!worker.find(key).equals(find(key))) {
                throw new RpcConfigurationException(
                        "%s=%s (from %s) holds for the whole JVM; set it as system property %s or as environment variable %s"
                                .formatted(
                                        key,
                                        worker.find(key).orElse(""),
                                        worker.origin(key),
                                        key,
                                        Settings.environmentName(key)));
            }
        }
    }
}
