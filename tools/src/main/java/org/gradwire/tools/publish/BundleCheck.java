package org.gradwire.tools.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Checks a folder in the layout of a Maven repository against what Maven Central demands of a
 * bundle (central.sonatype.org/publish/requirements), and against what this project adds: an
 * inventory (SBOM) for each artifact, all four checksums, POMs without entries of the build.
 */
final class BundleCheck {
    private static final String METADATA = "maven-metadata";
    private static final String SIGNATURE = ".asc";
    private static final String SIGNATURE_BEGIN = "-----BEGIN PGP SIGNATURE-----";
    private static final List<String> OF_A_JAR = List.of(".jar", "-sources.jar", "-javadoc.jar");
    private static final List<String> OF_ALL = List.of("-cyclonedx.json", "-cyclonedx.xml");

    private final Path bundle;
    private final boolean signed;
    private final List<Violation> violations = new ArrayList<>();

    private BundleCheck(Path bundle, boolean signed) {
        this.bundle = bundle;
        this.signed = signed;
    }

    /**
     * {@return the violations of a bundle; empty if there are none}
     *
     * @param bundle the folder above the groups
     * @param signed whether each file must have its signature
     * @throws IOException when the folder cannot be read
     */
    static List<Violation> faults(Path bundle, boolean signed) throws IOException {
        var check = new BundleCheck(bundle, signed);
        check.checkAll();
        return check.violations;
    }

    /** {@return the files below a folder, in order, named from there} */
    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(folder::relativize).sorted().toList();
        }
    }

    /** {@return whether a file is published for its own sake, not to prove another} */
    static boolean isContent(Path file) {
        return !Checksum.isOne(file) && !file.toString().endsWith(SIGNATURE);
    }

    /** {@return whether it is content, and not the list of versions that a repository keeps} */
    static boolean isArtifact(Path file) {
        return isContent(file) && !String.valueOf(file.getFileName()).startsWith(METADATA);
    }

    static Path signatureOf(Path file) {
        return file.resolveSibling(file.getFileName() + SIGNATURE);
    }

    private void checkAll() throws IOException {
        List<Path> files = files(bundle);
        List<Artifact> artifacts =
                files.stream()
                        .filter(file -> file.toString().endsWith(".pom"))
                        .map(file -> new Artifact(parent(file)))
                        .distinct()
                        .toList();
        if (artifacts.isEmpty()) {
            report(Path.of("."), "a POM at least, found none", "stage the artifacts first");
        }
        for (Path file : files) {
            checkFile(file, artifacts);
        }
        for (Artifact artifact : artifacts) {
            checkArtifact(artifact);
        }
    }

    private void checkFile(Path file, List<Artifact> artifacts) throws IOException {
        Artifact artifact = new Artifact(parent(file));
        if (!artifacts.contains(artifact) || !artifact.isNamed() || !artifact.owns(file)) {
            report(
                    file,
                    "a file of an artifact, GROUP/ARTIFACT/VERSION/ARTIFACT-VERSION...",
                    "remove it, or put it where its coordinates say");
        } else if (isContent(file)) {
            checkSums(file);
            checkSignature(file);
        } else if (!Files.exists(bundle.resolve(provenBy(file)))) {
            report(file, "the file that it belongs to", "remove it, or stage again");
        }
    }

    private static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? Path.of("") : parent;
    }

    private static Path provenBy(Path file) {
        String name = file.toString();
        return Path.of(name.substring(0, name.lastIndexOf('.')));
    }

    private void checkSums(Path file) throws IOException {
        for (Checksum kind : Checksum.ALL) {
            Path sumFile = kind.fileOf(file);
            if (!Files.exists(bundle.resolve(sumFile))) {
                report(sumFile, "the " + kind.algorithm() + " of " + name(file), "stage again");
                continue;
            }
            String written =
                    Files.readString(bundle.resolve(sumFile)).strip().toLowerCase(Locale.ROOT);
            String actual = kind.of(bundle.resolve(file));
            if (!written.equals(actual)) {
                report(
                        sumFile,
                        "%s, which is the %s of %s, found '%s'"
                                .formatted(actual, kind.algorithm(), name(file), written),
                        "stage again: one of the two was changed");
            }
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private void checkSignature(Path file) throws IOException {
        Path signature = bundle.resolve(signatureOf(file));
        boolean there = Files.exists(signature);
        if (signed && !there) {
            report(signatureOf(file), "a signature, found none", "stage again with --key");
        } else if (there && !Files.readString(signature).startsWith(SIGNATURE_BEGIN)) {
            report(
                    signatureOf(file),
                    "a signature in ASCII, which begins with '" + SIGNATURE_BEGIN + "'",
                    "stage again with --key");
        }
    }

    private void checkArtifact(Artifact artifact) throws IOException {
        Path file = artifact.file(".pom");
        if (!artifact.isNamed() || !Files.exists(bundle.resolve(file))) {
            return; // reported with its files
        }
        if (artifact.version().endsWith("-SNAPSHOT")) {
            report(
                    file,
                    "a release, found the version " + artifact.version(),
                    "set a version without -SNAPSHOT in all pom.xml");
        }
        PomFile pom;
        try {
            pom = PomFile.read(bundle.resolve(file));
        } catch (IOException e) {
            report(file, "a POM, but " + e.getMessage(), "stage again");
            return;
        }
        violations.addAll(PomCheck.faults(bundle, artifact, pom));
        OF_ALL.forEach(end -> expectFile(artifact, end));
        if (!pom.text("packaging").equals("pom")) {
            OF_A_JAR.forEach(end -> expectFile(artifact, end));
        }
    }

    private void expectFile(Artifact artifact, String end) {
        Path file = artifact.file(end);
        if (!Files.exists(bundle.resolve(file))) {
            report(
                    file,
                    "this file next to the POM, found none",
                    "build with -Dpublish, which makes it");
        }
    }

    private void report(Path file, String expected, String remedy) {
        violations.add(new Violation(file, expected, remedy));
    }
}
