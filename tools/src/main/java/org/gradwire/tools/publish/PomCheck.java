package org.gradwire.tools.publish;

import org.w3c.dom.Element;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks that a POM has all that Maven Central demands, and nothing of the build. */
final class PomCheck {
    private static final List<String> REQUIRED =
            List.of(
                    "modelVersion",
                    "name",
                    "description",
                    "url",
                    "licenses/license/name",
                    "licenses/license/url",
                    "developers/developer/name",
                    "scm/connection",
                    "scm/developerConnection",
                    "scm/url");
    private static final List<String> BUILD_ONLY =
            List.of(
                    "parent",
                    "properties",
                    "build",
                    "profiles",
                    "reporting",
                    "modules",
                    "repositories",
                    "pluginRepositories",
                    "distributionManagement");
    private static final Set<String> SCOPES = Set.of("", "compile", "runtime", "provided");

    private final Path bundle;
    private final Artifact artifact;
    private final Path file;
    private final PomFile pom;
    private final List<Violation> violations = new ArrayList<>();

    private PomCheck(Path bundle, Artifact artifact, PomFile pom) {
        this.bundle = bundle;
        this.artifact = artifact;
        this.file = artifact.file(".pom");
        this.pom = pom;
    }

    static List<Violation> faults(Path bundle, Artifact artifact, PomFile pom) {
        var check = new PomCheck(bundle, artifact, pom);
        check.coordinates();
        check.required();
        check.buildOnly();
        check.dependencies();
        return check.violations;
    }

    private void coordinates() {
        expectCoordinate("groupId", artifact.group());
        expectCoordinate("artifactId", artifact.artifact());
        expectCoordinate("version", artifact.version());
    }

    private void expectCoordinate(String element, String inPath) {
        String found = pom.text(element);
        if (!found.equals(inPath)) {
            report(
                    "<%s> to be '%s' as in its path, found '%s'".formatted(element, inPath, found),
                    "stage it again, or correct the POM");
        }
    }

    private void required() {
        for (String path : REQUIRED) {
            if (pom.text(path).isEmpty()) {
                report(
                        "the element " + path + " with a text, found none",
                        "add it to the module's pom.xml or to the parent's");
            }
        }
    }

    private void buildOnly() {
        for (String path : BUILD_ONLY) {
            if (!pom.elements(path).isEmpty()) {
                report(
                        "no element <" + path + ">, which only the build needs",
                        "let the flatten plugin of the root pom.xml remove it");
            }
        }
        if (pom.root().getTextContent().contains("${")) {
            report(
                    "no '${', since users' builds have no such property",
                    "write the value in the module's pom.xml");
        }
    }

    private void dependencies() {
        List<Element> all = new ArrayList<>(pom.elements("dependencies/dependency"));
        all.forEach(this::expectScope);
        all.addAll(pom.elements("dependencyManagement/dependencies/dependency"));
        all.forEach(this::expectReleased);
    }

    private void expectScope(Element dependency) {
        String scope = PomFile.text(dependency, "scope");
        if (!SCOPES.contains(scope)) {
            report(
                    "no dependency of the scope '%s', found %s".formatted(scope, name(dependency)),
                    "let the flatten plugin remove it");
        }
    }

    private void expectReleased(Element dependency) {
        String version = PomFile.text(dependency, "version");
        if (version.isEmpty() || version.endsWith("-SNAPSHOT")) {
            report(
                    "a released version of %s, found '%s'".formatted(name(dependency), version),
                    "name a release in the root pom.xml");
        } else if (PomFile.text(dependency, "groupId").equals(artifact.group())
                && !isStaged(PomFile.text(dependency, "artifactId"), version)) {
            report(
                    "%s %s in the bundle too".formatted(name(dependency), version),
                    "publish that module, or do not depend on it");
        }
    }

    private boolean isStaged(String name, String version) {
        Path folder = Path.of(artifact.group().replace('.', '/'), name, version);
        return Files.exists(bundle.resolve(new Artifact(folder).file(".pom")));
    }

    private static String name(Element dependency) {
        return PomFile.text(dependency, "groupId") + ":" + PomFile.text(dependency, "artifactId");
    }

    private void report(String expected, String remedy) {
        violations.add(new Violation(file, expected, remedy));
    }
}
