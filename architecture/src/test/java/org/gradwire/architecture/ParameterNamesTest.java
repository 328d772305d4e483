package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Keyword arguments in programs compiled with different options, on the class and module path. */
class ParameterNamesTest {
    private static final String PROGRAM =
            """
            package hello;

            import org.gradwire.rpc.*;

            public final class Hello {
                private Hello() {}

                @RemoteCallable
                public static final class Scales {
                    private final double by;

                    public Scales(double by) {
                        this.by = by;
                    }

                    public double scale(double x, @Default("0") double more) {
                        return by * x + more;
                    }
                }

                @RemoteCallable
                public static <T extends Comparable<T>> String most(java.util.List<T> all, T floor, int... counts) {
                    return "" + all.stream().max(java.util.Comparator.naturalOrder()).orElse(floor) + counts.length;
                }

                public static void main(String[] args) {
                    var options = RpcOptions.builder().rank(0).worldSize(1).backend("inproc");
                    try (Rpc rpc = Rpc.init(options.rendezvous("inproc://hello").build())) {
                        System.out.println(
                                rpc.rpcSync(
                                        "worker0",
                                        Call.to((RpcFunction.Function3<java.util.List<String>, String, int[], String>) Hello::most)
                                                .kwarg("counts", new int[2])
                                                .kwarg("floor", "a")
                                                .kwarg("all", java.util.List.of("b", "c"))));
                        try (RRef<Scales> scales =
                                rpc.remote("worker0", Call.to(Scales::new).kwarg("by", 2.0))) {
                            System.out.println(
                                    scales.rpcSync(Call.to(Scales::scale).kwarg("more", 1.0).kwarg("x", 3.0)));
                        }
                    } catch (IllegalArgumentException e) {
                        System.out.println(e.getMessage());
                    }
                }
            }
            """;

    @TempDir Path folder;

    private SmallProgram compiled(boolean asModule, String... options) throws IOException {
        var program = new SmallProgram(folder, asModule);
        program.compile("requires transitive org.gradwire.api; exports hello;", PROGRAM, options);
        return program;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theProcessorWritesThem(boolean asModule) throws Exception {
        var program = compiled(asModule, "--processor-path", SmallProgram.processor().toString());
        assertTrue(
                Files.exists(
                        program.classes().resolve("META-INF/gradwire/parameters/hello.Hello")));
        var ended = program.run(List.of());
        assertEquals("", ended.errors());
        assertEquals("c2\n7.0\n", ended.output());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theCompilerWritesThem(boolean asModule) throws Exception {
        var ended = compiled(asModule, "-proc:none", "-parameters").run(List.of());
        assertEquals("", ended.errors());
        assertEquals("c2\n7.0\n", ended.output());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutThemTheErrorSaysWhatToAdd(boolean asModule) throws Exception {
        var program = compiled(asModule, "-proc:none");
        assertFalse(Files.exists(program.classes().resolve("META-INF")));
        assertEquals(
                "hello.Hello.most() cannot take keyword arguments, such as 'counts', since the names of its parameters are not in the program: compile its class with javac -parameters, or with the annotation processor org.gradwire:gradwire-processor. Declaration: most(List arg0, Comparable arg1, int[] arg2) -> String\n",
                program.run(List.of()).output());
    }
}
