package org.gradwire.tools.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A bundle that is good, and then broken in one way at a time. */
class BundleCheckTest {
    private static final Path HOME = Path.of("org/gradwire/gradwire-a/1.0");
    private static final String NAME = "gradwire-a-1.0";
    private static final String POM =
            """
            <project>
              <modelVersion>4.0.0</modelVersion>
              <groupId>org.gradwire</groupId>
              <artifactId>gradwire-a</artifactId>
              <version>1.0</version>
              <name>A</name>
              <description>The first.</description>
              <url>https://example.org</url>
              <licenses><license><name>Apache-2.0</name><url>https://example.org/l</url></license></licenses>
              <developers><developer><name>Somebody</name></developer></developers>
              <scm>
                <connection>scm:git:c</connection>
                <developerConnection>scm:git:d</developerConnection>
                <url>https://example.org/s</url>
              </scm>
              <dependencies></dependencies>
            </project>
            """;

    @TempDir Path folder;
    private Path deployed;
    private Path bundle;

    @BeforeEach
    void deploy() throws IOException {
        deployed = folder.resolve("deployed");
        bundle = folder.resolve("bundle");
        Files.createDirectories(deployed.resolve(HOME));
        write(".pom", POM);
        for (String end :
                List.of(
                        ".jar",
                        "-sources.jar",
                        "-javadoc.jar",
                        "-cyclonedx.json",
                        "-cyclonedx.xml")) {
            write(end, "content of " + end);
        }
        Files.writeString(deployed.resolve("org/gradwire/gradwire-a/maven-metadata.xml"), "<m/>");
    }

    private void write(String end, String text) throws IOException {
        Files.writeString(deployed.resolve(HOME).resolve(NAME + end), text);
    }

    private void replaceInPom(String old, String text) throws IOException {
        assertTrue(POM.contains(old), old);
        write(".pom", POM.replace(old, text));
    }

    private void stage() throws IOException {
        Staging.stage(deployed, bundle, Optional.empty());
    }

    private List<String> faults() throws IOException {
        return BundleCheck.faults(bundle, /* signed= */ false).stream()
                .map(Violation::toString)
                .toList();
    }

    private void assertOneFault(String end, String expected) throws IOException {
        assertEquals(List.of(HOME.resolve(NAME + end) + ": expected " + expected), faults());
    }

    @Test
    void stagedBundleIsGood() throws IOException {
        stage();
        assertEquals(List.of(), faults());
        assertEquals(6 * 5, BundleCheck.files(bundle).size());
    }

    @Test
    void emptyBundleIsAFault() throws IOException {
        Files.createDirectories(bundle);
        assertEquals(
                List.of(".: expected a POM at least, found none; stage the artifacts first"),
                faults());
    }

    @ParameterizedTest
    @ValueSource(strings = {".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json"})
    void missingFileIsAFault(String end) throws IOException {
        Files.delete(deployed.resolve(HOME).resolve(NAME + end));
        stage();
        assertOneFault(
                end, "this file next to the POM, found none; build with -Dpublish, which makes it");
    }

    @ParameterizedTest
    @CsvSource({
        "<name>A</name>, name",
        "<description>The first.</description>, description",
        "<url>https://example.org</url>, url",
        "<name>Apache-2.0</name>, licenses/license/name",
        "<url>https://example.org/l</url>, licenses/license/url",
        "<name>Somebody</name>, developers/developer/name",
        "<connection>scm:git:c</connection>, scm/connection",
        "<developerConnection>scm:git:d</developerConnection>, scm/developerConnection",
        "<url>https://example.org/s</url>, scm/url",
        "<modelVersion>4.0.0</modelVersion>, modelVersion",
    })
    void missingElementIsAFault(String text, String path) throws IOException {
        replaceInPom(text, "");
        stage();
        assertOneFault(
                ".pom",
                "the element "
                        + path
                        + " with a text, found none; add it to the module's pom.xml or to the"
                        + " parent's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"parent", "properties", "build", "repositories"})
    void elementOfTheBuildIsAFault(String name) throws IOException {
        replaceInPom("<dependencies>", "<" + name + "/><dependencies>");
        stage();
        assertOneFault(
                ".pom",
                "no element <%s>, which only the build needs; let the flatten plugin of the root pom.xml remove it"
                        .formatted(name));
    }

    @Test
    void propertyIsAFault() throws IOException {
        replaceInPom("The first.", "The ${ordinal}.");
        stage();
        assertOneFault(
                ".pom",
                "no '${', since users' builds have no such property; write the value in the module's pom.xml");
    }

    @Test
    void coordinatesBesideThePathAreAFault() throws IOException {
        replaceInPom("<groupId>org.gradwire", "<groupId>org.other");
        stage();
        assertOneFault(
                ".pom",
                "<groupId> to be 'org.gradwire' as in its path, found 'org.other'; stage it again, or correct the POM");
    }

    private void dependOn(String group, String name, String version, String scope)
            throws IOException {
        replaceInPom(
                "<dependencies>",
                "<dependencies><dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version><scope>%s</scope></dependency>"
                        .formatted(group, name, version, scope));
        stage();
    }

    @Test
    void testDependencyIsAFault() throws IOException {
        dependOn("org.junit", "junit", "5", "test");
        assertOneFault(
                ".pom",
                "no dependency of the scope 'test', found org.junit:junit; let the flatten plugin remove it");
    }

    @Test
    void snapshotAsDependencyIsAFault() throws IOException {
        dependOn("org.other", "b", "5-SNAPSHOT", "compile");
        assertOneFault(
                ".pom",
                "a released version of org.other:b, found '5-SNAPSHOT'; name a release in the root pom.xml");
    }

    @Test
    void dependencyThatIsNotPublishedIsAFault() throws IOException {
        dependOn("org.gradwire", "gradwire-b", "1.0", "compile");
        assertOneFault(
                ".pom",
                "org.gradwire:gradwire-b 1.0 in the bundle too; publish that module, or do not depend on it");
    }

    @Test
    void snapshotIsAFault() throws IOException {
        stage();
        Path home = bundle.resolve("org/gradwire/gradwire-a/1.0-SNAPSHOT");
        Files.createDirectories(home);
        Files.writeString(home.resolve("gradwire-a-1.0-SNAPSHOT.pom"), POM);
        assertTrue(
                faults().contains(
                                "org/gradwire/gradwire-a/1.0-SNAPSHOT/gradwire-a-1.0-SNAPSHOT.pom:"
                                        + " expected a release, found the version 1.0-SNAPSHOT; set a"
                                        + " version without -SNAPSHOT in all pom.xml"),
                faults().toString());
    }

    @ParameterizedTest
    @CsvSource({".md5, MD5", ".sha1, SHA-1", ".sha256, SHA-256", ".sha512, SHA-512"})
    void missingChecksumIsAFault(String end, String algorithm) throws IOException {
        stage();
        Files.delete(bundle.resolve(HOME).resolve(NAME + ".jar" + end));
        assertOneFault(".jar" + end, "the " + algorithm + " of " + NAME + ".jar; stage again");
    }

    @Test
    void wrongChecksumIsAFault() throws IOException {
        stage();
        Path sum = bundle.resolve(HOME).resolve(NAME + ".jar.md5");
        String right = Files.readString(sum);
        Files.writeString(sum, "0");
        assertOneFault(
                ".jar.md5",
                right
                        + ", which is the MD5 of gradwire-a-1.0.jar, found '0'; stage again: one of"
                        + " the two was changed");
    }

    @Test
    void strayFileIsAFault() throws IOException {
        stage();
        Files.writeString(bundle.resolve("maven-metadata.xml"), "<m/>");
        assertEquals(
                List.of(
                        "maven-metadata.xml: expected a file of an artifact,"
                                + " GROUP/ARTIFACT/VERSION/ARTIFACT-VERSION...; remove it, or put it"
                                + " where its coordinates say"),
                faults());
    }

    @Test
    void missingSignatureIsAFaultOfASignedBundle() throws IOException {
        stage();
        for (Path file : BundleCheck.files(bundle)) {
            if (BundleCheck.isContent(file)) {
                Files.writeString(
                        bundle.resolve(BundleCheck.signatureOf(file)),
                        "-----BEGIN PGP SIGNATURE-----\n");
            }
        }
        assertEquals(List.of(), BundleCheck.faults(bundle, /* signed= */ true));
        Files.delete(bundle.resolve(HOME).resolve(NAME + ".jar.asc"));
        assertEquals(
                HOME.resolve(NAME + ".jar.asc")
                        + ": expected a signature, found none; stage again with --key",
                BundleCheck.faults(bundle, /* signed= */ true).getFirst().toString());
    }

    @Test
    void differencesOfTwoBuildsAreNamed() throws IOException {
        stage();
        Path other = folder.resolve("other");
        write(".jar", "changed");
        Staging.stage(deployed, other, Optional.empty());
        assertEquals(List.of(), BundleComparison.differences(bundle, bundle));
        assertEquals(
                List.of(HOME.resolve(NAME + ".jar")), BundleComparison.differences(bundle, other));
    }

    /** The list of versions says when it was written. */
    @Test
    void listsOfVersionsAreNotCompared() throws IOException {
        stage();
        Path list = Path.of("org/gradwire/gradwire-a/maven-metadata.xml");
        Path other = folder.resolve("other");
        Staging.stage(deployed, other, Optional.empty());
        Files.writeString(other.resolve(list), "<later/>");
        Files.writeString(bundle.resolve(list), "<earlier/>");
        assertEquals(List.of(), BundleComparison.differences(bundle, other));
    }
}
