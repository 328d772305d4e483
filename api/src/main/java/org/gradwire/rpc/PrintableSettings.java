package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Settings by key, unmodifiable. {@link #toString} masks the token. */
final class PrintableSettings extends AbstractMap<String, String> {
    private static final String SECRET = "gradwire.authentication-token";

    private final Map<String, String> values;

    PrintableSettings(Map<String, String> values) {
        this.values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return values.entrySet();
    }

    @Override
    public @Nullable String get(@Nullable Object key) {
        return values.get(key);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return values.containsKey(key);
    }

    @Override
    public String toString() {
        var shown = new TreeMap<>(values);
        shown.computeIfPresent(SECRET, (_, _) -> "***");
        return shown.toString();
    }
}
