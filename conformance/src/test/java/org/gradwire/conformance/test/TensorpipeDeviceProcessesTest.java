package org.gradwire.conformance.test;

import org.gradwire.conformance.DeviceProcesses;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.junit.jupiter.api.condition.EnabledIf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** With the fake driver of {@code device-cuda}, in the run of the tests that has CUDA devices. */
@EnabledIf(value = "hasFake", disabledReason = "this run of the tests has no CUDA devices")
class TensorpipeDeviceProcessesTest extends DeviceProcesses {
    private static final String LIBRARIES = "gradwire.cuda.libraries";
    private static final String CACHE = "gradwire.cuda.cache";

    static boolean hasFake() {
        String libraries = System.getProperty(LIBRARIES);
        return libraries != null && Files.exists(Path.of(libraries, "libcublas.so.13"));
    }

    @Override
    protected BackendUnderTest backend() {
        return BackendUnderTest.of(
                "tensorpipe",
                Map.of(
                        "gradwire.backend",
                        "tensorpipe",
                        LIBRARIES,
                        System.getProperty(LIBRARIES, ""),
                        CACHE,
                        System.getProperty(CACHE, "")));
    }
}
