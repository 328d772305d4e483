package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A program on the jars of the distribution, started without JVM flags, on the class path and as a
 * module.
 */
class NoFlagsTest {
    static final String PRINTED = "hello you\n1.6E7\n";
    static final String PROGRAM =
            """
            package hello;

            import org.gradwire.autograd.distributed.DistAutograd;
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

    private SmallProgram compiled(boolean asModule) throws IOException {
        var program = new SmallProgram(folder, asModule);
        program.compile(
                "requires transitive org.gradwire.autograd; exports hello;", PROGRAM, "-proc:none");
        return program;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsTensorsAndGradientsWorkInSilence(boolean asModule) throws Exception {
        var ended = compiled(asModule).run(List.of(), "inproc");
        assertEquals("", ended.errors());
        assertEquals(PRINTED, ended.output());
        assertEquals(0, ended.status());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nettyWorksInSilence(boolean asModule) throws Exception {
        var ended = compiled(asModule).run(List.of(), "netty");
        assertEquals("", ended.errors());
        assertEquals(PRINTED, ended.output());
        assertEquals(0, ended.status());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tensorpipeSaysWhichFlagIsMissing(boolean asModule) throws Exception {
        var ended = compiled(asModule).run(List.of(), "tensorpipe");
        String advice =
                asModule
                        ? "start it with --add-exports=java.base/jdk.internal.misc=org.agrona\n"
                        : "start it with --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED, or give an executable jar the line \"Add-Exports: java.base/jdk.internal.misc\" in its manifest\n";
        assertTrue(ended.errors().contains(advice), ended.errors());
        assertEquals(1, ended.status());
    }
}
