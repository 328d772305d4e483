package org.gradwire.checkpoint.tests;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs in child JVMs, on the module path of this one. */
final class ChildJvm {
    private static final int LIMIT_SECONDS = 60;

    private ChildJvm() {}

    /** Start a program, for a minute at most. Its errors go to a file. */
    static Process start(String module, String program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + System.getProperty("jvm.args.file"));
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of("-p", System.getProperty("jdk.module.path", "")));
        command.addAll(List.of("-m", module + "/" + program));
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command)
                        .redirectError(
                                ProcessBuilder.Redirect.appendTo(new File("target/children.log")))
                        .start();
        var _ =
                process.onExit()
                        .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                        .exceptionally(_ -> process.destroyForcibly());
        return process;
    }
}
