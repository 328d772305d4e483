package org.gradwire.checkpoint.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** XML of an object store that may be hostile. */
class XmlTest {
    private static Xml parse(String text) throws IOException {
        return Xml.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String refused(String text) {
        return String.valueOf(assertThrows(IOException.class, () -> parse(text)).getMessage());
    }

    @Test
    void textsAreFoundByTheirPaths() throws IOException {
        Xml xml =
                parse(
                        """
                        <?xml version="1.0"?><!-- c --><A xmlns="urn:x"><B><K>1&amp;2</K><L>x</L></B>
                        <B><K><![CDATA[<3>]]></K></B><T>true</T></A>\
                        """);
        assertEquals("A", xml.root());
        assertEquals(List.of("1&2", "<3>"), xml.all("B/K"));
        assertEquals("x", xml.text("B/L").orElseThrow());
        assertTrue(xml.isTrue("T"));
        assertEquals(List.of(), xml.all("K"));
    }

    @Test
    void documentTypesAndEntitiesAreRefused() {
        assertEquals(
                "the reply has a document type; expected none",
                refused("<!DOCTYPE A [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><A>&e;</A>"));
        String bomb = "<!DOCTYPE A [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;&a;\">]><A>&b;</A>";
        assertEquals("the reply has a document type; expected none", refused(bomb));
        assertEquals("the reply is not the XML that was expected", refused("<A>&unknown;</A>"));
    }

    @Test
    void deepAndBrokenDocumentsAreRefused() {
        assertEquals(
                "the reply is nested more than 10 elements deep", refused("<A>".repeat(100_000)));
        for (String broken : List.of("", "<A>", "<A></B>", "text", "<A/><A/>")) {
            assertEquals("the reply is not the XML that was expected", refused(broken), broken);
        }
    }

    @Test
    void randomChangesAreRefusedOrRead() {
        long seed = Long.getLong("s3.seed", new SplittableRandom().nextLong());
        System.out.println("-Ds3.seed=" + seed);
        var random = new SplittableRandom(seed);
        byte[] valid = "<A><B><K>1&amp;2</K></B><T>true</T></A>".getBytes(StandardCharsets.UTF_8);
        int read = 0;
        for (int i = 0; i < 5_000; i++) {
            byte[] changed = valid.clone();
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            try {
                assertTrue(Xml.parse(changed).all("B/K").size() <= 1);
                read++;
            } catch (IOException _) { // the expected end
            }
        }
        assertTrue(read > 0 && read < 5_000, "read " + read);
    }
}
