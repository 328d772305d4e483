package org.gradwire.backend.netty;

import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Settings of a test: the backend's defaults, some of them changed. */
record MapSettings(Map<String, String> values) implements Settings {

    /** Return the defaults with changes, whose keys lack the backend's prefix. */
    static MapSettings with(Map<String, String> changes) {
        Map<String, String> values = new HashMap<>();
        for (Setting setting : SettingKeys.ALL) {
            values.put(setting.key(), setting.defaultValue());
        }
        changes.forEach((key, value) ->
                values.put(key.startsWith("gradwire.") ? key : "gradwire.netty." + key, value));
        return new MapSettings(values);
    }

    @Override
    public Optional<String> find(String key) {
        return Optional.ofNullable(values.get(key)).filter(value -> !value.isEmpty());
    }

    @Override
    public String origin(String key) {
        return "test";
    }
}
