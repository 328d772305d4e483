package org.gradwire.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The English of a folder, and the phrases to avoid in it.
 *
 * @param words by kind of text
 * @param hits in the order of the files
 */
record Wording(Map<Prose.Kind, Integer> words, List<Found> hits) {
    private static final Set<String> NO_SOURCES = Set.of("target", ".git", ".mvn", "resources");
    private static final double RATE = 10_000;

    /** An occurrence with its place. */
    record Found(Path file, long line, Phrases.Hit hit) {
        @Override
        public String toString() {
            return file + ":" + line + ": " + hit.phrase() + " -> " + hit.rule().instead();
        }
    }

    /** Read the Java sources and Markdown documents of some files and of all below some folders. */
    static Wording of(List<Path> places, Phrases phrases) {
        var wording = new Wording(new EnumMap<>(Prose.Kind.class), new ArrayList<>());
        for (Path place : places) {
            files(place).stream().sorted().forEach(file -> wording.add(file, phrases));
        }
        return wording;
    }

    private static List<Path> files(Path place) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(
                    place,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path dir, BasicFileAttributes unused) {
                            return NO_SOURCES.contains(dir.getFileName().toString())
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
                            if (file.toString().matches(".*\\.(java|md)")) {
                                files.add(file);
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private void add(Path file, Phrases phrases) {
        String content;
        try {
            content = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean isDocument = file.toString().endsWith(".md");
        for (Prose prose :
                isDocument ? List.of(Prose.document(content)) : ProseReader.read(content)) {
            words.merge(prose.kind(), prose.words(), Integer::sum);
            for (Phrases.Hit hit : phrases.in(prose)) {
                long lineEnds = content.chars().limit(hit.offset()).filter(c -> c == '\n').count();
                hits.add(new Found(Reactor.root().relativize(file), 1 + lineEnds, hit));
            }
        }
    }

    /** {@return hits per 10,000 words of a kind; 0 if there are no words} */
    long rate(Prose.Kind kind) {
        long ofKind = hits.stream().filter(found -> found.hit().prose().kind() == kind).count();
        return rate(ofKind, words.getOrDefault(kind, 0));
    }

    /** {@return hits per 10,000 words; 0 if there are no words} */
    long rate() {
        return rate(hits.size(), allWords());
    }

    int allWords() {
        return words.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static long rate(long hits, int words) {
        return words == 0 ? 0 : Math.round(RATE * hits / words);
    }
}
