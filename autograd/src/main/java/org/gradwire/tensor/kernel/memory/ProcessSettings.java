package org.gradwire.tensor.kernel.memory;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.gradwire.spi.process.JvmSettings;

import java.util.List;

/** Settings of tensors, which hold for the whole JVM. */
public final class ProcessSettings {
    static final String BLAS_THREADS = "gradwire.blas.threads";
    static final String NATIVE_SOFT_LIMIT = "gradwire.tensor.native-soft-limit";
    static final String NATIVE_LIMIT = "gradwire.tensor.native-limit";
    private static final int MOST_BLAS_THREADS = 1024;

    /** All of them. */
    public static final List<Setting> ALL =
            List.of(
                    new Setting(
                            BLAS_THREADS,
                            "1",
                            "Threads of one matrix product. For the whole JVM: as system property or"
                                    + " environment variable only."),
                    new Setting(
                            NATIVE_SOFT_LIMIT,
                            "512m",
                            "Native memory of tensors after which garbage is collected to find free"
                                    + " memory. For the whole JVM."),
                    new Setting(
                            NATIVE_LIMIT,
                            "",
                            "Limit of the native memory of tensors; by default twice the maximum heap."
                                    + " For the whole JVM."));

    private final JvmSettings settings = new JvmSettings(ALL);

    /** {@return the number of threads of a matrix product} */
    public int blasThreads() {
        return settings.integer(BLAS_THREADS, 1, MOST_BLAS_THREADS);
    }

    /** {@return the native memory of tensors after which garbage is collected, in bytes} */
    long nativeSoftLimit() {
        return settings.bytes(NATIVE_SOFT_LIMIT);
    }

    /** {@return the limit of the native memory of tensors, in bytes} */
    long nativeLimit() {
        return settings.find(NATIVE_LIMIT).isPresent()
                ? settings.bytes(NATIVE_LIMIT)
                : 2 * Runtime.getRuntime().maxMemory();
    }

    /**
     * Check the values of all settings.
     *
     * @throws RpcConfigurationException when one is invalid
     */
    static void check() {
        var process = new ProcessSettings();
        var _ = process.blasThreads();
        var _ = process.nativeSoftLimit();
        var _ = process.nativeLimit();
    }

    /**
     * Check that the JVM's settings are valid, and that a worker's do not differ.
     *
     * @throws RpcConfigurationException when one is invalid, or was set where it has no effect
     */
    public static void requireNoOther(Settings worker) {
        check();
        new JvmSettings(ALL).requireNoOther(worker);
    }
}
