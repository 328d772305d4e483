package org.gradwire.checkpoint.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The texts of an untrusted XML document, by the names of their elements below the root, such as
 * {@code Contents/Key}, in the order of the document. A document type is refused, so there are no
 * entities but those of XML, and nothing else is loaded.
 */
record Xml(String root, Map<String, List<String>> texts) {
    static final Xml EMPTY = new Xml("", Map.of());
    private static final int DEEPEST = 10;

    static Xml parse(byte[] document) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            return read(factory.createXMLStreamReader(new ByteArrayInputStream(document)));
        } catch (XMLStreamException e) {
            throw new IOException("the reply is not the XML that was expected", e);
        }
    }

    private static Xml read(XMLStreamReader reader) throws XMLStreamException, IOException {
        Map<String, List<String>> texts = new HashMap<>();
        List<String> path = new ArrayList<>();
        var text = new StringBuilder();
        String root = "";
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    root = path.isEmpty() ? reader.getLocalName() : root;
                    path.add(reader.getLocalName());
                    text.setLength(0);
                    requireDepth(path.size());
                }
                case XMLStreamConstants.CHARACTERS -> text.append(reader.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    String name = String.join("/", path.subList(1, path.size()));
                    texts.computeIfAbsent(name, _ -> new ArrayList<>()).add(text.toString());
                    text.setLength(0);
                    path.removeLast();
                }
                case XMLStreamConstants.DTD ->
                        throw new IOException("the reply has a document type; expected none");
                default -> {} // comments, instructions and the end
            }
        }
        return new Xml(root, texts);
    }

    private static void requireDepth(int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IOException(
                    "the reply is nested more than %d elements deep".formatted(DEEPEST));
        }
    }

    List<String> all(String name) {
        return texts.getOrDefault(name, List.of());
    }

    Optional<String> text(String name) {
        return all(name).stream().findFirst();
    }

    boolean isTrue(String name) {
        return text(name).filter("true"::equals).isPresent();
    }
}
