package org.gradwire.device.cuda;

import org.gradwire.spi.Setting;
import org.gradwire.spi.process.JvmSettings;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

/** Settings of CUDA devices, which hold for the whole JVM. */
final class CudaSettings {
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
                            "Limit of the memory of tensors on each device; by default all of it."),
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

    private final JvmSettings settings = new JvmSettings(ALL);

    /** {@return the directories that are searched for libraries first} */
    List<Path> libraries() {
        return settings
                .find(LIBRARIES)
                .map(text -> List.of(text.split(File.pathSeparator)))
                .orElse(List.of())
                .stream()
                .map(Path::of)
                .toList();
    }

    /** {@return the directory of compiled kernels} */
    Path cache() {
        return settings.find(CACHE)
                .map(Path::of)
                .orElseGet(() ->
                        Path.of(System.getProperty("user.home"), ".cache", "gradwire", "cuda"));
    }

    /** {@return the most memory of a device, in bytes} */
    long memoryLimit() {
        return settings.find(MEMORY_LIMIT).isPresent()
                ? settings.bytes(MEMORY_LIMIT)
                : Long.MAX_VALUE;
    }

    /** {@return whether other processes may copy from devices} */
    boolean sharing() {
        return settings.flag(SHARING);
    }

    /** {@return whether products of float32 use TF32} */
    boolean tf32() {
        return settings.flag(TF32);
    }
}
