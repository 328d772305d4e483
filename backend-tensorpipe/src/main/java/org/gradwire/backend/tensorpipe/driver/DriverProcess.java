package org.gradwire.backend.tensorpipe.driver;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;

import org.agrona.DirectBuffer;
import org.gradwire.backend.tensorpipe.config.JvmFlags;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.OsNative;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The process of a shared media driver: its start and its main method.
 *
 * <p>It outlives the process that starts it: it leaves the terminal, and ends after a second
 * without clients.
 */
final class DriverProcess {
    private static final long GRACE_MILLIS = TimeUnit.SECONDS.toMillis(1);

    // Other variables are not passed on: a token, a debugger's port, another collector.
    private static final Set<String> ENVIRONMENT =
            Set.of("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH");

    private DriverProcess() {}

    /**
     * Start the process for an existing directory; its output is written to the directory's log.
     *
     * @param flags of its JVM, which follow those that it needs
     */
    static Process start(DriverDirectory directory, List<String> flags) throws IOException {
        var builder = new ProcessBuilder(command(directory, flags));
        builder.environment().keySet().retainAll(ENVIRONMENT);
        return builder.directory(Path.of("/").toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(directory.log().toFile())
                .redirectErrorStream(true)
                .start();
    }

    /** {@return the command: on the class path, since an AOT cache holds no automatic modules} */
    private static List<String> command(DriverDirectory directory, List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx64m",
                        "-Xss512k",
                        "-XX:+UseSerialGC",
                        "-XX:TrimNativeHeapInterval=5000"));
        command.add("-D%s=%s".formatted(OsNative.SETTING.key(), OsNative.isOn() ? "on" : "off"));
        command.addAll(JvmFlags.forDriver());
        command.addAll(flags);
        command.add("--class-path");
        command.add(libraries());
        command.add(DriverProcess.class.getName());
        command.add(directory.path().toString());
        return command;
    }

    /** {@return the jars and folders that the driver needs, from the paths of this JVM} */
    private static String libraries() {
        return Stream.of(
                        DriverProcess.class,
                        BackendProvider.class,
                        WorkerInfo.class,
                        Aeron.class,
                        MediaDriver.class,
                        DirectBuffer.class)
                .map(DriverProcess::location)
                .distinct()
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no file holds " + type, e);
        }
    }

    /**
     * Run a driver until it is no longer needed.
     *
     * @param args the directory
     */
    public static void main(String[] args) {
        var directory = new DriverDirectory(Path.of(args[0]));
        DriverKeeper keeper = DriverKeeper.start(directory, GRACE_MILLIS);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(keeper::closeAtExit, "gradwire-driver-end"));
        if (LibC.isAvailable()) {
            LibC.leaveTerminal();
        }
        keeper.run();
    }

    /** {@return the end of the log, for error texts} */
    static String logTail(DriverDirectory directory) {
        try {
            String text = Files.readString(directory.log()).strip();
            return text.length() <= 2000 ? text : "..." + text.substring(text.length() - 2000);
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }
}
