package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The JVM flags of a worker on the class path, in a file and in the manifest of a jar. */
class ClassPathFlagsTest {
    private static final String TWIN = "jvm-classpath.args";
    private static final String INCUBATOR =
            "WARNING: Using incubator modules: jdk.incubator.vector\n";

    @TempDir Path folder;

    private static List<String> flags(String file) throws IOException {
        return Files.readAllLines(Reactor.root().resolve(file)).stream()
                .filter(line -> line.startsWith("-"))
                .toList();
    }

    /**
     * {@return a flag for the class path, from one of the module path; empty if it adds a module}
     */
    private static Stream<String> onTheClassPath(String flag) {
        return flag.equals("--add-modules=ALL-MODULE-PATH")
                ? Stream.of()
                : Stream.of(
                        flag.replaceFirst("^(--add-exports=.*=).*", "$1ALL-UNNAMED")
                                .replaceFirst("^(--enable-native-access=).*", "$1ALL-UNNAMED"));
    }

    @Test
    void flagsAreThoseOfTheModulePath() throws IOException {
        List<String> expected =
                flags("jvm.args").stream().flatMap(ClassPathFlagsTest::onTheClassPath).toList();
        assertFalse(expected.isEmpty());
        assertEquals(expected, flags(TWIN));
    }

    @Test
    void tensorpipeWorksWithThem() throws Exception {
        Path file = Reactor.distribution().resolve(TWIN);
        var ended = program().run(List.of("@" + file), "tensorpipe");
        assertEquals(INCUBATOR, ended.errors());
        assertEquals(NoFlagsTest.PRINTED, ended.output());
        assertEquals(0, ended.status());
    }

    private SmallProgram program() throws IOException {
        var program = new SmallProgram(folder, /* asModule= */ false);
        program.compile("", NoFlagsTest.PROGRAM, "-proc:none");
        return program;
    }

    /** The jar has the manifest of the operations page. */
    @Test
    void executableJarNeedsNoFlags() throws Exception {
        Path manifest = Files.writeString(folder.resolve("manifest.txt"), manifest());
        Path jar = folder.resolve("hello.jar");
        Tools.run(
                "jar",
                "--create",
                "--file=" + jar,
                "--manifest=" + manifest,
                "-C",
                program().classes().toString(),
                ".");
        var ended =
                new SmallProgram(folder, /* asModule= */ false)
                        .java(List.of("-jar", jar.toString(), "tensorpipe"));
        assertEquals("", ended.errors());
        assertEquals(NoFlagsTest.PRINTED, ended.output());
        assertEquals(0, ended.status());
    }

    private static String manifest() throws IOException {
        String page = Files.readString(Reactor.root().resolve("docs/operations.md"));
        int begin = page.indexOf("```manifest\n") + "```manifest\n".length();
        String shown = page.substring(begin, page.indexOf("```", begin));
        try (Stream<Path> jars = Files.list(SmallProgram.LIB)) {
            String path =
                    jars.map(jar -> jar.toUri().toString()).collect(Collectors.joining("\n  "));
            return shown + "Main-Class: hello.Hello\nClass-Path: " + path + "\n";
        }
    }
}
