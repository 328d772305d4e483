package org.gradwire.tools.publish;

import org.w3c.dom.Element;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Checks the inventories (SBOMs in the form of CycloneDX) of a bundle against the list of reviewed
 * libraries: a new library, another version and another file of the same version are violations.
 */
final class InventoryCheck {
    private static final String LIST = "reviewed-libraries.txt";
    private static final String OWN_GROUP = "org.gradwire";
    private static final String COMMENT = "#";

    private final Map<String, String> reviewed;
    private final Map<String, Path> found = new TreeMap<>();

    private InventoryCheck(Map<String, String> reviewed) {
        this.reviewed = reviewed;
    }

    /**
     * {@return the violations of a bundle; empty if there are none}
     *
     * @param bundle the folder above the groups
     * @param list lines of {@code PURL SHA-256}: a package URL as in the inventory, and the hash
     * @throws IOException when an inventory cannot be read
     */
    static List<Violation> faults(Path bundle, String list) throws IOException {
        var check = new InventoryCheck(parse(list));
        for (Path file : BundleCheck.files(bundle)) {
            if (file.toString().endsWith("-cyclonedx.xml")) {
                check.read(bundle, file);
            }
        }
        return check.faults();
    }

    /** {@return the list of this project} */
    static String reviewedLibraries() throws IOException {
        try (InputStream in = InventoryCheck.class.getResourceAsStream(LIST)) {
            return new String(
                    Objects.requireNonNull(in, LIST).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> parse(String list) {
        Map<String, String> reviewed = new HashMap<>();
        list.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith(COMMENT))
                .forEach(line -> {
                    String[] words = line.split("\\s+", -1);
                    if (words.length != 2) {
                        throw new IllegalArgumentException(
                                LIST + ": '" + line + "' is not a package URL and a SHA-256");
                    }
                    reviewed.put(words[0], words[1]);
                });
        return reviewed;
    }

    private void read(Path bundle, Path file) throws IOException {
        PomFile inventory = PomFile.read(bundle.resolve(file));
        for (Element component : inventory.elements("components/component")) {
            String group = PomFile.text(component, "group");
            if (!group.equals(OWN_GROUP)) {
                found.put(PomFile.text(component, "purl") + " " + sha256(component), file);
            }
        }
    }

    private static String sha256(Element component) {
        return new PomFile(component)
                .elements("hashes/hash").stream()
                        .filter(hash -> hash.getAttribute("alg").equals("SHA-256"))
                        .map(hash -> hash.getTextContent().strip())
                        .findFirst()
                        .orElse("none");
    }

    private List<Violation> faults() {
        return found.entrySet().stream()
                .filter(entry -> !isReviewed(entry.getKey()))
                .map(entry ->
                        new Violation(
                                entry.getValue(),
                                "libraries that were reviewed, found '%s'"
                                        .formatted(entry.getKey()),
                                "look at its origin, licence and known vulnerabilities, describe it in docs/design/libraries.md, and add that line to "
                                        + LIST))
                .toList();
    }

    private boolean isReviewed(String library) {
        String[] words = library.split(" ", 2);
        return words[1].equals(reviewed.get(words[0]));
    }
}
