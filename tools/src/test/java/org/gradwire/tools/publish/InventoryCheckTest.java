package org.gradwire.tools.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Only libraries that were reviewed are published with the modules. */
class InventoryCheckTest {
    @TempDir private Path bundle;

    private List<Violation> faults(String version, String hash, String list) throws IOException {
        Path folder = Files.createDirectories(bundle.resolve("org/gradwire/gradwire-a/1.0"));
        String inventory =
                """
                <bom xmlns="http://cyclonedx.org/schema/bom/1.6">
                  <components>
                    <component type="library">
                      <group>org.gradwire</group><name>gradwire-api</name><version>1.0</version>
                      <purl>pkg:maven/org.gradwire/gradwire-api@1.0?type=jar</purl>
                    </component>
                    <component type="library">
                      <group>com.example</group><name>cache</name><version>%1$s</version>
                      <hashes><hash alg="MD5">00</hash><hash alg="SHA-256">%2$s</hash></hashes>
                      <purl>pkg:maven/com.example/cache@%1$s?type=jar</purl>
                    </component>
                  </components>
                </bom>
                """
                        .formatted(version, hash);
        Files.writeString(folder.resolve("gradwire-a-1.0-cyclonedx.xml"), inventory);
        return InventoryCheck.faults(bundle, list);
    }

    @Test
    void aReviewedLibraryIsAccepted() throws Exception {
        assertEquals(
                List.of(),
                faults(
                        "2.1",
                        "ab",
                        "# libraries\n\npkg:maven/com.example/cache@2.1?type=jar   ab\n"));
    }

    @Test
    void anotherVersionOrFileIsRefused() throws Exception {
        String list = "pkg:maven/com.example/cache@2.1?type=jar ab";
        for (List<Violation> faults :
                List.of(faults("2.2", "ab", list), faults("2.1", "ac", list))) {
            assertEquals(1, faults.size());
            String text = faults.getFirst().toString();
            assertTrue(text.startsWith("org/gradwire/gradwire-a/1.0/gradwire-a-1.0-cyclonedx.xml"));
            assertTrue(text.contains("com.example/cache@2."), text);
        }
        assertEquals(1, faults("2.1", "ab", "").size());
    }

    @Test
    void aMalformedLineIsNamed() {
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> faults("2.1", "ab", "pkg:maven/com.example/cache@2.1"));
        assertTrue(
                String.valueOf(failure.getMessage()).contains("pkg:maven/com.example/cache@2.1"));
    }

    /** The committed list has no entry of this project, and each is complete. */
    @Test
    void theCommittedListIsWellFormed() throws Exception {
        List<String> lines =
                InventoryCheck.reviewedLibraries()
                        .lines()
                        .filter(line -> !line.startsWith("#") && !line.isBlank())
                        .toList();
        assertTrue(lines.size() > 5, lines::toString);
        for (String line : lines) {
            assertTrue(line.matches("pkg:maven/[^\\s@]+@\\S+ [0-9a-f]{64}"), line);
        }
    }
}
