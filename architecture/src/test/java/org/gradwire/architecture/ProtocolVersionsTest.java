package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code docs/PROTOCOL.md} has the version numbers of the code in all places. */
class ProtocolVersionsTest {
    private static final Pattern CONSTANT = Pattern.compile("\\bint VERSION = (\\d+);");

    /**
     * A version of the protocol.
     *
     * @param folder of the class with the constant {@code VERSION}
     * @param places regular expressions of the page around the number, which is a group
     */
    record Format(String name, String folder, String type, List<String> places) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Format> formats() {
        return List.of(
                new Format(
                        "frames of tensorpipe",
                        "backend-tensorpipe",
                        "FrameHeader",
                        List.of(
                                "`backend-tensorpipe` \\| (\\d+) \\|",
                                "backend `tensorpipe`, version (\\d+)",
                                "\\| `protocol` \\| `(\\d+)`",
                                "version = (\\d+) ")),
                new Format(
                        "frames of netty",
                        "backend-netty",
                        "Handshake",
                        List.of(
                                "`backend-netty` \\| (\\d+) \\|",
                                "backend `netty`, version (\\d+)")),
                new Format(
                        "TCP store",
                        "runtime",
                        "StoreFrames",
                        List.of(
                                "where a group meets \\| `runtime` \\| (\\d+) \\|",
                                "\\(\"GWST\"\\), version 0(\\d+) ")),
                new Format(
                        "values outside messages",
                        "runtime",
                        "ValueFile",
                        List.of("What `Serialization.toBytes` returns; version (\\d+)\\.")));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void pageNamesTheVersionOfTheCode(Format format) throws IOException {
        String page = Files.readString(Reactor.root().resolve("docs/PROTOCOL.md"));
        List<String> version = find(CONSTANT, Files.readString(source(format)));
        for (String place : format.places()) {
            assertEquals(version, find(Pattern.compile(place), page), place);
        }
    }

    private static Path source(Format format) throws IOException {
        Path sources = Reactor.root().resolve(format.folder()).resolve("src/main/java");
        String file = format.type() + ".java";
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> found =
                    files.filter(path -> path.getFileName().toString().equals(file)).toList();
            assertEquals(1, found.size(), () -> "sources of " + format.type() + ": " + found);
            return found.getFirst();
        }
    }

    private static List<String> find(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
