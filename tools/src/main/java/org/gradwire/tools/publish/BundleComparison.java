package org.gradwire.tools.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/** Compares the outputs of two builds of the same sources. */
final class BundleComparison {

    private BundleComparison() {}

    /** {@return the artifacts that only one folder has, or that differ} */
    static List<Path> differences(Path first, Path second) throws IOException {
        var all = new TreeSet<>(BundleCheck.files(first));
        all.addAll(BundleCheck.files(second));
        all.removeIf(file -> !BundleCheck.isArtifact(file));
        var differences = new TreeSet<Path>();
        for (Path file : all) {
            Path here = first.resolve(file);
            Path there = second.resolve(file);
            if (!Files.exists(here) || !Files.exists(there) || Files.mismatch(here, there) >= 0) {
                differences.add(file);
            }
        }
        return List.copyOf(differences);
    }
}
