package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Set;

import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** The types of this compilation, so far. */
final class Sources {
    private static final String VALUE_CODEC = "org.gradwire.spi.ValueCodec";

    private final Elements elements;
    private final Types types;
    private final Set<TypeElement> seen = new HashSet<>();

    Sources(Elements elements, Types types) {
        this.elements = elements;
        this.types = types;
    }

    void add(Set<? extends Element> roots) {
        ElementFilter.typesIn(roots).forEach(this::add);
    }

    private void add(TypeElement type) {
        seen.add(type);
        ElementFilter.typesIn(type.getEnclosedElements()).forEach(this::add);
    }

    /** {@return the types with codecs} */
    Set<TypeElement> coded() {
        Set<TypeElement> coded = new HashSet<>();
        TypeElement codec = elements.getTypeElement(VALUE_CODEC);
        if (codec != null) {
            seen.forEach(type -> addCoded(type.asType(), codec, coded));
        }
        return coded;
    }

    private void addCoded(TypeMirror type, TypeElement codec, Set<TypeElement> coded) {
        if (type instanceof DeclaredType t && t.asElement().equals(codec)) {
            t.getTypeArguments().stream()
                    .map(Sources::declared)
                    .filter(element -> element != null)
                    .forEach(coded::add);
            return;
        }
        types.directSupertypes(type).forEach(above -> addCoded(above, codec, coded));
    }

    private static @Nullable TypeElement declared(TypeMirror type) {
        return type.getKind() == TypeKind.DECLARED
                ? (TypeElement) ((DeclaredType) type).asElement()
                : null;
    }
}
