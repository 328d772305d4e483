package org.gradwire.conformance.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the command that runs a program of the kit in its own JVM, on the path of this one. */
public final class JavaCommand {
    private JavaCommand() {}

    /**
     * Return the command. The JVM also gets the flags in the file that system property {@code
     * jvm.args.file} names, and compiles without optimization, since it runs for seconds.
     *
     * @param flags additional JVM flags
     * @param program class with the main method; its module is the main module, unless it is on the
     *     class path
     */
    public static List<String> of(List<String> flags, Class<?> program) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        String file = System.getProperty("jvm.args.file");
        if (file != null) {
            command.add("@" + file);
        }
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(flags);
        command.addAll(
                program.getModule().isNamed() ? onModulePath(program) : onClassPath(program));
        return command;
    }

    private static List<String> onModulePath(Class<?> program) {
        return List.of(
                "--module-path",
                System.getProperty("jdk.module.path", ""),
                "--add-modules",
                "ALL-MODULE-PATH",
                "--module",
                program.getModule().getName() + "/" + program.getName());
    }

    private static List<String> onClassPath(Class<?> program) {
        return List.of("-cp", System.getProperty("java.class.path"), program.getName());
    }
}
