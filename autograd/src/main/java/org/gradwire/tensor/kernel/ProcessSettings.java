package org.gradwire.tensor.kernel;

import org.gradwire.spi.Settings;

import java.util.Map;
import java.util.Optional;

/**
 * Settings that hold for the whole JVM: a system property, else an environment variable, else the
 * default here.
 */
final class ProcessSettings implements Settings {
    static final String BLAS_THREADS = "gradwire.blas.threads";
    static final String NATIVE_SOFT_LIMIT = "gradwire.tensor.native-soft-limit";
    static final String NATIVE_LIMIT = "gradwire.tensor.native-limit";

    private static final Map<String, String> DEFAULTS =
            Map.of(
                    BLAS_THREADS,
                    "1",
                    NATIVE_SOFT_LIMIT,
                    "512m",
                    NATIVE_LIMIT,
                    2 * (Runtime.getRuntime().maxMemory() >> 20) + "m");

    @Override
    public Optional<String> find(String key) {
        String value = System.getProperty(key);
        if (value == null) {
            value = System.getenv(Settings.environmentName(key));
        }
        return Optional.ofNullable(value == null ? DEFAULTS.get(key) : value);
    }

    @Override
    public String origin(String key) {
        if (System.getProperty(key) != null) {
            return "system property " + key;
        }
        String variable = Settings.environmentName(key);
        return System.getenv(variable) != null ? "environment variable " + variable : "default";
    }
}
