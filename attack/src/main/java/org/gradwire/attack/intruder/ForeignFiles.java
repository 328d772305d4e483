package org.gradwire.attack.intruder;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Tries to read, write and lock the files of the victim, and to read its environment. */
final class ForeignFiles implements Attacker {

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter)
            throws IOException {
        List<Path> files = new ArrayList<>(besides(target.directory()));
        files.addAll(below(target.directory()));
        for (String name : List.of("environ", "mem", "maps")) {
            files.add(Path.of("/proc", Long.toString(target.victim()), name));
        }
        while (!inputCounter.isOver()) {
            Path file = files.get(random.nextInt(files.size()));
            inputCounter.sent();
            boolean writes = random.nextBoolean();
            try (var open = new RandomAccessFile(file.toFile(), writes ? "rw" : "r")) {
                if (open.read() >= 0 || writes) {
                    inputCounter.served();
                    System.err.println((writes ? "wrote " : "read ") + file);
                } else {
                    inputCounter.refused();
                }
            } catch (IOException _) {
                inputCounter.refused();
            }
        }
    }

    /** {@return the directory, and its siblings whose names start with its name, such as locks} */
    private static List<Path> besides(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolveSibling("."))) {
            String name = String.valueOf(directory.getFileName());
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(name))
                    .toList();
        }
    }

    private static List<Path> below(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        files.add(directory.resolve("cnc.dat"));
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        files.add(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE;
                    }
                });
        return files;
    }
}
