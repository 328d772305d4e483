package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The settings of a test: the backend's defaults with changes. */
public record MapSettings(Map<String, String> values) implements Settings {

    /** Return the defaults with some changed, given without the backend's prefix. */
    public static MapSettings with(Map<String, String> changes) {
        Map<String, String> values = new HashMap<>();
        for (Setting setting : SettingKeys.ALL) {
            values.put(setting.key(), setting.defaultValue());
        }
        changes.forEach((key, value) ->
                values.put(
                        key.startsWith("gradwire.") ? key : "gradwire.tensorpipe." + key, value));
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
