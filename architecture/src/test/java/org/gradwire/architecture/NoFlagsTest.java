package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program on the jars of the distribution, started without any flag for the JVM: on the class
 * path, and as a module.
 */
class NoFlagsTest {
    private static final long MOST_SECONDS = 120;
    private static final Path LIB = Reactor.distribution().resolve("lib");
    private static final String PROGRAM =
            """
            package hello;

            import org.gradwire.autograd.DistAutograd;
            import org.gradwire.rpc.RemoteCallable;
            import org.gradwire.rpc.Rpc;
            import org.gradwire.rpc.RpcOptions;
            import org.gradwire.tensor.Tensor;

            public final class Hello {
                private Hello() {}

                @RemoteCallable
                public static String greet(String name) {
                    return "hello " + name;
                }

                @RemoteCallable
                public static Tensor square(Tensor x) {
                    return x.matmul(x);
                }

                public static void main(String[] args) {
                    var options = RpcOptions.builder().rank(0).worldSize(1).backend(args[0]);
                    try (Rpc rpc = Rpc.init(options.rendezvous("inproc://hello").build());
                            var context = DistAutograd.context(rpc)) {
                        System.out.println(rpc.rpcSync("worker0", Hello::greet, "you"));
                        Tensor x = Tensor.ones(200, 200).requiresGrad(true);
                        context.backward(rpc.rpcSync("worker0", Hello::square, x).sum());
                        System.out.println(context.gradients().get(x).sum().item());
                    }
                }
            }
            """;

    @TempDir Path folder;

    private record Ended(int status, String output, String errors) {}

    /** Compile the program as what depends on Gradwire with all warnings would. */
    private Path compiled(boolean asModule) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("src/hello"));
        List<String> files = new ArrayList<>();
        files.add(Files.writeString(sources.resolve("Hello.java"), PROGRAM).toString());
        if (asModule) {
            String module =
                    "module hello { requires transitive org.gradwire.autograd; exports hello; }";
            files.add(Files.writeString(folder.resolve("src/module-info.java"), module).toString());
        }
        Path classes = folder.resolve("classes");
        // But for paths: the class path of these tests, and a jar of JavaCPP's, name what is not
        // there.
        List<String> args = new ArrayList<>(List.of("-Xlint:all,-path", "-Werror", "-proc:none"));
        args.addAll(List.of("-d", classes.toString()));
        args.addAll(List.of(asModule ? "-p" : "-cp", asModule ? LIB.toString() : jars()));
        args.addAll(files);
        Tools.run("javac", args.toArray(String[]::new));
        return classes;
    }

    private static String jars() throws IOException {
        try (Stream<Path> files = Files.list(LIB)) {
            return files.map(Path::toString).collect(Collectors.joining(":"));
        }
    }

    private Ended java(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(args));
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

    private Ended run(boolean asModule, String backend) throws Exception {
        String classes = compiled(asModule).toString();
        return asModule
                ? java("-p", classes + ":" + LIB, "-m", "hello/hello.Hello", backend)
                : java("-cp", classes + ":" + LIB + "/*", "hello.Hello", backend);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsTensorsAndGradientsWorkInSilence(boolean asModule) throws Exception {
        Ended ended = run(asModule, "inproc");
        assertEquals("", ended.errors);
        assertEquals("hello you\n1.6E7\n", ended.output);
        assertEquals(0, ended.status);
    }

    @Test
    void tensorpipeSaysWhichFlagIsMissing() throws Exception {
        Ended ended = run(/* asModule= */ false, "tensorpipe");
        assertTrue(
                ended.errors.contains(
                        "start it with --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"),
                ended.errors);
        assertEquals(1, ended.status);
    }
}
