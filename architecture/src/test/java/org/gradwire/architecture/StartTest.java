package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The classes that a JVM loads for workers, which their start takes time for. */
class StartTest {
    private static final String PROGRAM =
            """
            package hello;

            import org.gradwire.rpc.RemoteCallable;
            import org.gradwire.rpc.Rpc;
            import org.gradwire.rpc.RpcOptions;

            import java.util.concurrent.CompletableFuture;

            public final class Hello {
                private Hello() {}

                @RemoteCallable
                public static String greet(String name) {
                    return "hello " + name;
                }

                private static Rpc join(int rank) {
                    var options = RpcOptions.builder().rank(rank).worldSize(2).backend("inproc");
                    return Rpc.init(options.rendezvous("inproc://hello").build());
                }

                public static void main(String[] args) {
                    var other = CompletableFuture.runAsync(() -> join(1).close());
                    try (Rpc rpc = join(0)) {
                        System.out.println(rpc.rpcSync("worker1", Hello::greet, "you"));
                    }
                    other.join();
                }
            }
            """;

    @TempDir Path folder;

    /** Its types of events take 100 to 200 ms, and only a recording needs them. */
    @Test
    void flightRecorderIsNotInitializedWithoutARecording() throws Exception {
        var program = new SmallProgram(folder, true);
        program.compile(
                "requires transitive org.gradwire.api; exports hello;", PROGRAM, "-proc:none");
        Path log = folder.resolve("classes.txt");
        var ended = program.run(List.of("-Xlog:class+load:file=" + log));
        assertEquals("hello you\n", ended.output(), ended.errors());
        List<String> loaded = Files.readAllLines(log);
        for (String user : List.of("authorization.AuditLog", "profile.FlightRecords")) {
            assertTrue(
                    loaded.stream().anyMatch(line -> line.contains("org.gradwire.runtime." + user)),
                    user);
        }
        assertEquals(
                List.of(),
                loaded.stream().filter(line -> line.contains(" jdk.jfr.internal.")).toList());
    }
}
