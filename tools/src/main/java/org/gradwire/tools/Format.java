package org.gradwire.tools;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Formats the Java sources below a folder with google-java-format, or checks that they are
 * formatted.
 */
public final class Format {
    private static final JavaFormatterOptions.Style STYLE = JavaFormatterOptions.Style.AOSP;

    private Format() {}

    /**
     * Usage: {@code Format check|apply ROOT}. Exits with 1 when {@code check} finds a difference.
     */
    public static void main(String[] args) throws IOException {
        boolean apply = args[0].equals("apply");
        List<Path> sources = sources(Path.of(args[1]));
        List<Path> different =
                sources.parallelStream().filter(source -> differs(source, apply)).toList();
        System.out.printf(
                "format: %d files, %d %s%n",
                sources.size(), different.size(), apply ? "rewritten" : "differ");
        if (!apply && !different.isEmpty()) {
            different.forEach(path -> System.out.println("not formatted: " + path));
            System.out.println("run: ./gradwire format");
            System.exit(1);
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !root.relativize(path).toString().contains("target/"))
                    .sorted()
                    .toList();
        }
    }

    /** {@return whether a source is not formatted; then format it, if asked to} */
    private static boolean differs(Path source, boolean apply) {
        try {
            String before = Files.readString(source);
            String after = format(before);
            if (apply && !after.equals(before)) {
                Files.writeString(source, after);
            }
            return !after.equals(before);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (FormatterException e) {
            throw new IllegalArgumentException(source + " cannot be formatted", e);
        }
    }

    private static String format(String source) throws FormatterException {
        var formatter = new Formatter(JavaFormatterOptions.builder().style(STYLE).build());
        String ordered = ImportOrderer.reorderImports(source, STYLE);
        return formatter.formatSource(RemoveUnusedImports.removeUnusedImports(ordered));
    }
}
