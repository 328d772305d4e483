package org.gradwire.tools;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    public static void main(String[] args) throws IOException, FormatterException {
        boolean apply = args[0].equals("apply");
        var formatter = new Formatter(JavaFormatterOptions.builder().style(STYLE).build());
        List<Path> different = new ArrayList<>();
        List<Path> sources = sources(Path.of(args[1]));
        for (Path source : sources) {
            String before = Files.readString(source);
            String after = format(formatter, before);
            if (!after.equals(before)) {
                different.add(source);
                if (apply) {
                    Files.writeString(source, after);
                }
            }
        }
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

    private static String format(Formatter formatter, String source) throws FormatterException {
        String ordered = ImportOrderer.reorderImports(source, STYLE);
        return formatter.formatSource(RemoveUnusedImports.removeUnusedImports(ordered));
    }
}
