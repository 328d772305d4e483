package org.gradwire.device.cuda;

import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings of CUDA devices, for the whole JVM: a system property, else an environment variable. */
final class CudaSettings implements Settings {
    static final String LIBRARIES = "gradwire.cuda.libraries";
    static final String CACHE = "gradwire.cuda.cache";
    static final String MEMORY_LIMIT = "gradwire.cuda.memory-limit";
    static final String TF32 = "gradwire.cuda.tf32";
    static final String SHARING = "gradwire.cuda.sharing";

    static final List<Setting> ALL =
            List.of(
                    new Setting(
                            LIBRARIES,
                            "",
                            "Directories with libcuda, libcublas and libnvrtc, separated as in a"
                                    + " class path; searched before those of the system."),
                    new Setting(
                            CACHE,
                            "",
                            "Directory of compiled kernels; by default .cache/gradwire/cuda in the"
                                    + " user's home."),
                    new Setting(
                            MEMORY_LIMIT,
                            "",
                            "Most memory of tensors on each device; all of it when not set."),
                    new Setting(
                            TF32,
                            "false",
                            "Whether products of float32 round their operands to 10 bits, which is"
                                    + " faster."),
                    new Setting(
                            SHARING,
                            "true",
                            "Whether tensors go to processes of the same machine from device to"
                                    + " device; otherwise by way of the host."));

    @Override
    public Optional<String> find(String key) {
        return Optional.ofNullable(System.getProperty(key))
                .or(() -> Optional.ofNullable(System.getenv(Settings.environmentName(key))))
                .or(() -> defaultValue(key))
                .filter(text -> !text.isBlank());
    }

    private static Optional<String> defaultValue(String key) {
        return ALL.stream()
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

    /** {@return the directories that are searched for libraries first} */
    List<Path> libraries() {
        return find(LIBRARIES)
                .map(text -> List.of(text.split(File.pathSeparator)))
                .orElse(List.of())
                .stream()
                .map(Path::of)
                .toList();
    }

    /** {@return the directory of compiled kernels} */
    Path cache() {
        return find(CACHE)
                .map(Path::of)
                .orElseGet(() ->
                        Path.of(System.getProperty("user.home"), ".cache", "gradwire", "cuda"));
    }

    /** {@return the most memory of a device, in bytes} */
    long memoryLimit() {
        return find(MEMORY_LIMIT).isPresent() ? bytes(MEMORY_LIMIT) : Long.MAX_VALUE;
    }

    /** {@return whether other processes may copy from devices} */
    boolean sharing() {
        return flag(SHARING);
    }

    /** {@return whether products of float32 use TF32} */
    boolean tf32() {
        return flag(TF32);
    }
}
