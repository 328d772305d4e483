package org.gradwire.backend.faulty;

import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The defaults of the faulty backend, with the settings of a test. */
record FixedSettings(Map<String, String> set) implements Settings {

    @Override
    public Optional<String> find(String key) {
        var all = new HashMap<String, String>();
        for (Setting setting : new FaultyBackend().settings()) {
            all.put(setting.key(), setting.defaultValue());
        }
        all.putAll(set);
        return Optional.ofNullable(all.get(key)).filter(value -> !value.isBlank());
    }

    @Override
    public String origin(String key) {
        return set.containsKey(key) ? "the options" : "the default";
    }
}
