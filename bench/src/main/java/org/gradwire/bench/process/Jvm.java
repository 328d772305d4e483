package org.gradwire.bench.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands for JVMs with the flags of this one. */
public final class Jvm {

    private Jvm() {}

    /** {@return the flags of this JVM} */
    public static List<String> flags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    /** {@return the command that runs a class of this module with the flags of this JVM} */
    public static List<String> command(Class<?> main) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags());
        command.add("--enable-native-access=io.grpc.netty.shaded");
        command.add("-m");
        command.add(main.getModule().getName() + "/" + main.getName());
        return command;
    }
}
