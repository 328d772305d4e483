package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;

/** The BOM names all published modules, and their poms have the elements that publishing needs. */
class PublishedArtifactsTest {
    private static final String BOM = "bom";

    /** {@return the folders of the modules that are published, the BOM aside} */
    private static List<Path> published() {
        return Reactor.folders().stream()
                .filter(name -> !name.equals(BOM))
                .map(Reactor.root()::resolve)
                .filter(folder -> !text(folder).contains("<maven.deploy.skip>true"))
                .toList();
    }

    private static String text(Path folder) {
        try {
            return Files.readString(folder.resolve("pom.xml"));
        } catch (IOException e) {
            throw new AssertionError("cannot read the pom of " + folder, e);
        }
    }

    @Test
    void bomNamesEveryPublishedArtifactInTheVersionOfTheBuild() throws Exception {
        String version = Reactor.value(Reactor.root(), "version");
        List<String> expected =
                published().stream()
                        .map(folder -> Reactor.value(folder, "artifactId") + ":" + version)
                        .sorted()
                        .toList();
        assertFalse(expected.isEmpty());
        assertEquals(expected, managedByTheBom());
    }

    private static List<String> managedByTheBom() throws Exception {
        Path file = Reactor.root().resolve(BOM).resolve("pom.xml");
        var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        var dependencies = builder.parse(file.toFile()).getElementsByTagName("dependency");
        return IntStream.range(0, dependencies.getLength())
                .mapToObj(i -> (Element) dependencies.item(i))
                .map(each -> child(each, "artifactId") + ":" + child(each, "version"))
                .sorted()
                .toList();
    }

    private static String child(Element element, String name) {
        return element.getElementsByTagName(name).item(0).getTextContent().strip();
    }

    @Test
    void publishedArtifactsAreJavaModulesWithNameAndDescription() {
        for (Path folder : published()) {
            // Spark's class path has no modules: the jar for it has a name in its manifest.
            assertTrue(
                    Files.exists(folder.resolve("src/main/java/module-info.java"))
                            || text(folder).contains("<Automatic-Module-Name>"),
                    folder + " is not a Java module: set maven.deploy.skip in its pom");
            assertFalse(Reactor.value(folder, "name").isBlank());
            assertFalse(Reactor.value(folder, "description").isBlank());
        }
    }

    @Test
    void jarsOfAllPublishedArtifactsAreComparedWhenAWorkerStarts() throws Exception {
        String check =
                Files.readString(
                        Reactor.root()
                                .resolve("api/src/main/java/org/gradwire/rpc/InstalledJars.java"));
        List<String> compared =
                Pattern.compile("\"(gradwire-[a-z0-9-]+)\"")
                        .matcher(check)
                        .results()
                        .map(match -> match.group(1))
                        .sorted()
                        .toList();
        List<String> named =
                managedByTheBom().stream().map(each -> each.split(":", 2)[0]).sorted().toList();
        assertEquals(named, compared);
    }
}
