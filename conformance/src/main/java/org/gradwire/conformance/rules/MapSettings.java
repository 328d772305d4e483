package org.gradwire.conformance.rules;

import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A backend's settings: the given ones, and its defaults. */
record MapSettings(Map<String, String> values) implements Settings {

    static MapSettings of(BackendProvider provider, Map<String, String> given) {
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
}
