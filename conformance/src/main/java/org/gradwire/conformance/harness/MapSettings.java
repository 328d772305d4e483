package org.gradwire.conformance.harness;

import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Backend settings for agents without the runtime: given values, and the backend's defaults.
 *
 * @param values values by key; a blank one counts as missing
 */
public record MapSettings(Map<String, String> values) implements Settings {

    /** Copy the values. */
    public MapSettings {
        values = Map.copyOf(values);
    }

    /** Return the given settings, completed by a backend's defaults. */
    public static MapSettings of(BackendProvider provider, Map<String, String> given) {
        Map<String, String> values = new HashMap<>();
        values.put("gradwire.authentication-token", "");
        for (Setting setting : provider.settings()) {
            values.put(setting.key(), setting.defaultValue());
        }
        values.putAll(given);
        return new MapSettings(values);
    }

    @Override
    public Optional<String> find(String key) {
        return Optional.ofNullable(values.get(key)).filter(value -> !value.isBlank());
    }

    @Override
    public String origin(String key) {
        return "the conformance kit";
    }

    @Override
    public String toString() {
        return "MapSettings" + values.keySet(); // a value may be the token
    }
}
