package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An independent program on the jars of the distribution, compiled and run as a module or on the
 * class path.
 *
 * @param folder of the compiled classes
 * @param asModule whether it is a module, {@code hello}; else it is on the class path, as Gradwire
 *     is
 */
record SmallProgram(Path folder, boolean asModule) {
    static final Path LIB = Reactor.distribution().resolve("lib");
    private static final long MOST_SECONDS = 120;

    /** Exit status and output of a JVM. */
    record Ended(int status, String output, String errors) {}

    /** {@return the processor's jar, which is not in the distribution} */
    static Path processor() {
        String version = Reactor.value(Reactor.root(), "version");
        return Reactor.root().resolve("processor/target/gradwire-processor-" + version + ".jar");
    }

    /** {@return the folder of the classes} */
    Path classes() {
        return folder.resolve("classes");
    }

    /**
     * Compile the program, with all warnings.
     *
     * @param directives of its module
     * @param source of the class {@code hello.Hello}
     */
    void compile(String directives, String source, String... options) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("src/hello"));
        List<String> files = new ArrayList<>();
        files.add(Files.writeString(sources.resolve("Hello.java"), source).toString());
        if (asModule) {
            String module = "module hello { " + directives + " }";
            files.add(Files.writeString(folder.resolve("src/module-info.java"), module).toString());
        }
        // Not "path": the class path of these tests and a jar of JavaCPP name missing
        // files. Not "processing": no processor claims the annotations.
        List<String> args =
                new ArrayList<>(List.of("-Xlint:all,-path,-processing", "-Werror", "-d"));
        args.add(classes().toString());
        args.addAll(List.of(asModule ? "-p" : "-cp", asModule ? LIB.toString() : jars(LIB)));
        args.addAll(List.of(options));
        args.addAll(files);
        Tools.run("javac", args.toArray(String[]::new));
    }

    private static String jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Run the program on the distribution. */
    Ended run(List<String> flags, String... args) throws IOException, InterruptedException {
        return run(LIB, flags, args);
    }

    /** Run the program on the jars of a folder. */
    Ended run(Path lib, List<String> flags, String... args)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(flags);
        String path = classes() + File.pathSeparator;
        command.addAll(
                asModule
                        ? List.of("-p", path + lib, "-m", "hello/hello.Hello")
                        : List.of("-cp", path + jars(lib), "hello.Hello"));
        command.addAll(List.of(args));
        return java(command);
    }

    /** Run {@code java}. */
    Ended java(List<String> args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(args);
        command.addFirst(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Path output = folder.resolve("out.txt");
        Path errors = folder.resolve("err.txt");
        var builder = new ProcessBuilder(command);
        builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GRADWIRE_"));
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS), () -> "hangs: " + command);
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(output), Files.readString(errors));
    }
}
