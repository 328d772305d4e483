package org.gradwire.device.cuda;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.device.DeviceProvider;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Child JVMs with other libraries or another driver. */
final class ChildJvm {
    private ChildJvm() {}

    /** {@return the lines that a program prints} */
    static List<String> run(
            Class<?> main, Path libraries, Map<String, String> environment, List<String> flags)
            throws IOException, InterruptedException {
        Process process = start(main, libraries, environment, flags);
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text.lines().toList();
    }

    /** Start a program, whose output is that of the process. */
    static Process start(
            Class<?> main, Path libraries, Map<String, String> environment, List<String> flags)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dgradwire.cuda.libraries=" + libraries);
        command.add("-Dgradwire.cuda.cache=" + System.getProperty("gradwire.cuda.cache", ""));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** {@return where the classes of the module, of its tests and of the interfaces are} */
    private static String classPath() {
        Path module = location(CudaDevices.class);
        Path tests = module.resolveSibling("test-classes");
        Path interfaces = location(DeviceProvider.class);
        Path api = location(RpcConfigurationException.class);
        return module + ":" + tests + ":" + interfaces + ":" + api;
    }

    private static Path location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
