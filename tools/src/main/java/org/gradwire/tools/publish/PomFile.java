package org.gradwire.tools.publish;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

/**
 * A POM as its users read it.
 *
 * @param root the element {@code project}
 */
record PomFile(Element root) {

    /**
     * Read a POM.
     *
     * @throws IOException when it cannot be read, or is not XML
     */
    static PomFile read(Path file) throws IOException {
        try {
            var factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            Document document = builder.parse(file.toFile());
            return new PomFile(document.getDocumentElement());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + " is not XML: " + e.getMessage(), e);
        }
    }

    /** {@return the elements at a path of names, such as {@code scm/url}} */
    List<Element> elements(String path) {
        Stream<Element> found = Stream.of(root);
        for (String name : path.split("/", -1)) {
            found = found.flatMap(element -> children(element, name));
        }
        return found.toList();
    }

    private static Stream<Element> children(Element parent, String name) {
        var children = parent.getChildNodes();
        return IntStream.range(0, children.getLength())
                .mapToObj(children::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
                .map(Element.class::cast)
                .filter(element -> element.getTagName().equals(name));
    }

    /** {@return the text at a path; empty when there is none} */
    String text(String path) {
        return elements(path).stream()
                .findFirst()
                .map(element -> element.getTextContent().strip())
                .orElse("");
    }

    /** {@return the text of an element's child; empty when there is none} */
    static String text(Element element, String child) {
        return new PomFile(element).text(child);
    }
}
