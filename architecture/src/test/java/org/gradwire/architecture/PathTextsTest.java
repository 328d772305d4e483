package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Texts of errors about modules and paths, on the class path and on the module path. */
class PathTextsTest {
    private static final String PROGRAM =
            """
            package hello;

            import org.gradwire.rpc.*;
            import org.gradwire.tensor.Device;
            import org.gradwire.tensor.Tensor;

            public final class Hello {
                private Hello() {}

                interface Body {
                    void run(Rpc rpc);
                }

                static final class Hidden {
                    private Hidden() {}

                    @RemoteCallable
                    public static int f() {
                        return 1;
                    }
                }

                @RemoteCallable
                public static int shown() {
                    return 1;
                }

                @Builtin("hello::operator")
                public static int operator() {
                    return 1;
                }

                private static void tell(Runnable body) {
                    try {
                        body.run();
                        System.out.println("works");
                    } catch (RuntimeException e) {
                        System.out.println(e.getMessage());
                    }
                }

                private static Rpc join(String backend) {
                    var options = RpcOptions.builder().rank(0).worldSize(1).backend(backend);
                    return Rpc.init(options.rendezvous("inproc://hello").build());
                }

                public static void main(String[] args) {
                    if (args.length == 1) {
                        tell(() -> join(args[0]));
                        return;
                    }
                    try (Rpc rpc = join("inproc")) {
                        tell(() -> rpc.rpcSync("worker0", Hello::shown));
                        tell(() -> rpc.rpcSync("worker0", Hidden::f));
                        tell(() -> rpc.rpcSync("worker0", Hello::operator));
                        tell(() -> Tensor.ones(1).to(Device.parse("cuda:0")));
                    }
                }
            }
            """;

    @TempDir Path folder;

    private SmallProgram compiled(boolean asModule, String exports) throws IOException {
        var program = new SmallProgram(folder, asModule);
        program.compile(
                "requires transitive org.gradwire.autograd; " + exports, PROGRAM, "-proc:none");
        return program;
    }

    private static List<String> texts(boolean asModule, String shown) {
        String path = asModule ? "module path" : "class path";
        return List.of(
                shown,
                "hello.Hello$Hidden#f()I cannot be called remotely: hello.Hello$Hidden is not public",
                "there is no operator hello::operator here; put the library that provides it on the %s"
                        .formatted(path),
                "there is no cuda:0: nothing on the %s provides devices of type 'cuda'; provided are []"
                        .formatted(path));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nameThePathOfTheProgram(boolean asModule) throws Exception {
        var ended = compiled(asModule, "exports hello;").run(List.of());
        assertEquals(texts(asModule, "works"), ended.output().lines().toList(), ended.errors());
    }

    /** The class path has no exports to check. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void exportsMatterInModulesOnly(boolean asModule) throws Exception {
        String refused =
                "hello.Hello#shown()I cannot be called remotely: package hello is not exported by module hello";
        var ended = compiled(asModule, "").run(List.of());
        assertEquals(
                texts(asModule, asModule ? refused : "works"),
                ended.output().lines().toList(),
                ended.errors());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void backendThatIsNotThere(boolean asModule) throws Exception {
        var ended = compiled(asModule, "exports hello;").run(List.of(), "nowhere");
        assertEquals(
                "no backend 'nowhere' (gradwire.backend, from the options); installed: [faulty, inproc, netty, tensorpipe]; put the jar of another one on the %s path\n"
                        .formatted(asModule ? "module" : "class"),
                ended.output());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void runtimeThatIsNotThere(boolean asModule) throws Exception {
        Path lib = Files.createDirectory(folder.resolve("lib"));
        try (Stream<Path> jars = Files.list(SmallProgram.LIB)) {
            for (Path jar : jars.filter(jar -> !jar.toString().contains("runtime")).toList()) {
                Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
            }
        }
        var ended = compiled(asModule, "exports hello;").run(lib, List.of(), "inproc");
        String first = "no implementation of org.gradwire.rpc.RpcProvider is installed; ";
        String advice =
                asModule
                        ? "put gradwire-runtime and its dependencies on the module path: java -p LIB -m MODULE/CLASS\n"
                        : "put gradwire-runtime and its dependencies on the class path; a merged jar must keep the entries of META-INF/services of all its parts\n";
        assertEquals(first + advice, ended.output(), ended.errors());
        assertTrue(ended.errors().isEmpty(), ended.errors());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void jarsOfTwoVersions(boolean asModule) throws Exception {
        Path lib = Files.createDirectory(folder.resolve("lib"));
        try (Stream<Path> jars = Files.list(SmallProgram.LIB)) {
            for (Path jar : jars.toList()) {
                Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
            }
        }
        String version = Reactor.value(Reactor.root(), "version");
        Path older = inVersion("0.0.9", lib.resolve("gradwire-spi-" + version + ".jar"));
        var ended = compiled(asModule, "exports hello;").run(lib, List.of(), "inproc");
        String text = ended.output();
        String first = "jars of different versions of Gradwire are installed: gradwire-api ";
        String last = "; keep those of one version: in Maven and Gradle, import gradwire-bom\n";
        assertTrue(text.startsWith(first + version + " (/"), text + ended.errors());
        assertTrue(text.contains("gradwire-spi 0.0.9 (" + older + ")"), text);
        assertTrue(text.contains("gradwire-runtime " + version + " (/"), text);
        assertTrue(text.endsWith(last), text);
        assertEquals("", ended.errors());
    }

    /** Replace a jar by a copy whose manifest has another version. */
    private static Path inVersion(String version, Path jar) throws IOException {
        Path copy = jar.resolveSibling("gradwire-spi-" + version + ".jar");
        Files.copy(jar, copy);
        Files.delete(jar);
        Path properties = Path.of("META-INF/maven/org.gradwire/gradwire-spi/pom.properties");
        try (var files = FileSystems.newFileSystem(copy)) {
            Files.writeString(files.getPath(properties.toString()), "version=" + version + "\n");
        }
        return copy;
    }
}
