package org.gradwire.attack.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of the JDK and of the system. */
final class Commands {
    private static final long LIMIT_SECONDS = 60;

    private Commands() {}

    /** {@return the command for a class of this module in a JVM with the workers' flags} */
    static List<String> java(Class<?> program, List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(tool("java"));
        command.add("@" + System.getProperty("attack.jvm.args"));
        command.addAll(flags);
        command.addAll(List.of("-p", System.getProperty("jdk.module.path", ".")));
        command.addAll(List.of("-m", program.getModule().getName() + "/" + program.getName()));
        command.addAll(arguments);
        return command;
    }

    /** {@return the path of a tool of this JDK} */
    static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /**
     * Run a command; {@return its output}
     *
     * @throws IOException when it fails; the message contains its output
     */
    static String output(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " failed: " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return output;
    }
}
