package org.gradwire.architecture;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

/** The modules that the root pom names. */
final class Reactor {
    private static final Path ROOT = Path.of(System.getProperty("architecture.root"));
    private static final Path BUILD = Path.of(System.getProperty("architecture.build"));

    private Reactor() {}

    static Path root() {
        return ROOT;
    }

    /** {@return the folder of this module's own build results} */
    static Path build() {
        return BUILD;
    }

    /** {@return the distribution that {@code ./gradwire} uses} */
    static Path distribution() {
        return ROOT.resolve("dist/target/dist");
    }

    /** {@return the folders of all Maven modules, in the order of the root pom} */
    static List<String> folders() {
        NodeList modules = pom(ROOT).getElementsByTagName("module");
        return IntStream.range(0, modules.getLength())
                .mapToObj(i -> modules.item(i).getTextContent().strip())
                .toList();
    }

    /** {@return the Java modules among them} */
    static List<GradwireModule> modules() {
        return folders().stream()
                .map(ROOT::resolve)
                .filter(folder -> Files.exists(folder.resolve("src/main/java/module-info.java")))
                .map(GradwireModule::of)
                .toList();
    }

    /** {@return the value of an element directly below a pom's root} */
    static String value(Path folder, String element) {
        NodeList children = pom(folder).getDocumentElement().getChildNodes();
        return IntStream.range(0, children.getLength())
                .mapToObj(children::item)
                .filter(node -> node instanceof Element && node.getNodeName().equals(element))
                .map(node -> node.getTextContent().strip())
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("no " + element + " in the pom of " + folder));
    }

    private static Document pom(Path folder) {
        Path file = folder.resolve("pom.xml");
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }
}
