package org.gradwire.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.processor.Compilation.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Functions and values that the runtime accepts compile without a message. */
class AcceptedTest {
    private static final String UNKNOWN =
            "parameter b of Jobs.f holds Matrix, which cannot be sent: take a type that can, an RRef to the value, or name it in -Agradwire.codecs if a codec for it is installed";

    @TempDir Path output;

    private Compilation withMatrix() {
        return new Compilation(output)
                .source("jobs/Matrix.java", "package jobs; public class Matrix {}")
                .source(
                        "jobs/Jobs.java",
                        "package jobs; public class Jobs { @org.gradwire.rpc.RemoteCallable public static void f(int a, Matrix b) {} }");
    }

    @Test
    void allowedFunctionsAndValuesCompile() throws IOException {
        try (InputStream source =
                Objects.requireNonNull(getClass().getResourceAsStream("Allowed.java.txt"))) {
            String text = new String(source.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(
                    List.of(), new Compilation(output).source("jobs/Allowed.java", text).run());
        }
    }

    @Test
    void typeWithACodecNamedInAnOption() {
        assertEquals(List.of(new Said("Jobs.java", 1, UNKNOWN)), withMatrix().run());
        assertEquals(
                List.of(), withMatrix().options("-Agradwire.codecs=jobs.Other, jobs.Matrix").run());
    }

    @Test
    void typeWithACodecInTheSources() {
        String codec =
                """
                package jobs;

                import org.gradwire.spi.*;

                public class MatrixCodec implements ValueCodec<Matrix> {
                    public MatrixCodec() {}
                    @Override public String tag() { return "matrix"; }
                    @Override public Class<Matrix> type() { return Matrix.class; }
                    @Override public boolean runsOnPoller() { return true; }
                    @Override public void encode(Matrix value, Output out) {}
                    @Override public Matrix decode(Input in) { return new Matrix(); }
                }
                """;
        assertEquals(List.of(), withMatrix().source("jobs/MatrixCodec.java", codec).run());
    }

    @Test
    void layersOfTheProjectWithAConstructorThatIsNotPublic() {
        String layer =
                """
                package org.gradwire.nn.conv;

                import org.gradwire.nn.Module;
                import org.gradwire.nn.WireModule;
                import org.gradwire.rpc.WireValue;

                @WireValue
                public final class Scale extends Module implements WireModule<Scale.Configuration> {
                    @WireValue public record Configuration(int size) {}
                    public Scale(int size) {}
                    Scale(Configuration configuration) {}
                    public Configuration configuration() { return new Configuration(1); }
                }
                """;
        assertEquals(
                List.of(),
                ModuleFaults.withModules(new Compilation(output))
                        .source("org/gradwire/nn/conv/Scale.java", layer)
                        .run());
    }

    @Test
    void markedModulesAndTheirInterfaces() {
        String scale =
                """
                package jobs;

                import java.util.List;
                import org.gradwire.nn.Module;
                import org.gradwire.nn.WireModule;
                import org.gradwire.rpc.*;

                @RemoteCallable
                @WireValue
                public final class Scale extends Base implements Api {
                    public Scale(Configuration c) {}
                    public Scale(int size) {}
                    public Module echo(int a, Module m, Scale s, List<Base> l, Api api) { return m; }
                    public static Api make(int size) { return new Scale(size); }
                }

                abstract class Base extends Module implements WireModule<Configuration> {
                    @Override public Configuration configuration() { return new Configuration(1); }
                }
                """;
        assertEquals(
                List.of(),
                ModuleFaults.withModules(new Compilation(output))
                        .source("jobs/Scale.java", scale)
                        .source(
                                "jobs/Configuration.java",
                                "package jobs; @org.gradwire.rpc.WireValue public record Configuration(int size) {}")
                        .source(
                                "jobs/Api.java",
                                "package jobs; @org.gradwire.rpc.ModuleInterface @org.gradwire.rpc.RemoteCallable public interface Api { default int f(int a) { return a; } }")
                        .run());
    }
}
