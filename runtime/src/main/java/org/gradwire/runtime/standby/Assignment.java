package org.gradwire.runtime.standby;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The settings of the worker that a standby becomes.
 *
 * @param settings by key
 */
record Assignment(Map<String, String> settings) {

    /**
     * Read environment variables in the format of {@link Properties}, to the end of a stream.
     *
     * @throws RpcConfigurationException if one is not of a setting of the runtime
     */
    static Assignment read(InputStream input) throws IOException {
        var variables = new Properties();
        variables.load(input);
        Map<String, String> settings = new TreeMap<>();
        for (String variable : variables.stringPropertyNames()) {
            settings.put(key(variable), variables.getProperty(variable, ""));
        }
        return new Assignment(settings);
    }

    private static String key(String variable) {
        return RuntimeSettings.ALL.stream()
                .map(Setting::key)
                .filter(key -> Settings.environmentName(key).equals(variable))
                .findFirst()
                .orElseThrow(() ->
                        new RpcConfigurationException(
                                "a standby was assigned %s; expected a variable of a setting of the runtime"
                                        .formatted(variable)));
    }

    boolean isEmpty() {
        return settings.isEmpty();
    }

    /** Set them as system properties, since a process cannot change its environment. */
    void apply() {
        settings.forEach(System::setProperty);
    }
}
