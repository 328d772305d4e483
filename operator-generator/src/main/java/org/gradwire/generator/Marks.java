package org.gradwire.generator;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;

/** The annotations of rows, which are known by name. */
final class Marks {
    static final String FAMILY = "org.gradwire.tensor.operator.annotation.OperatorFamily";

    private static final String PACKAGE = "org.gradwire.tensor.operator.annotation.";
    private static final String METHOD = PACKAGE + "TensorMethod";
    private static final String METHODS = METHOD + ".Forms";
    private static final String JAVA_NAME = PACKAGE + "JavaName";
    private static final String PAIR = PACKAGE + "ReturnsPair";

    private Marks() {}

    static Optional<String> javaName(Element row) {
        return find(row, JAVA_NAME).flatMap(mark -> strings(mark).stream()).findFirst();
    }

    static boolean returnsPair(Element row) {
        return find(row, PAIR).findFirst().isPresent();
    }

    /** {@return the annotation of each form, in order} */
    static List<AnnotationMirror> methods(Element row) {
        return Stream.concat(
                        find(row, METHOD),
                        find(row, METHODS)
                                .flatMap(Marks::values)
                                .map(form -> (AnnotationMirror) form.getValue()))
                .toList();
    }

    /** {@return the strings of an annotation's only element} */
    static List<String> strings(AnnotationMirror mark) {
        return values(mark).map(value -> value.getValue().toString()).toList();
    }

    private static Stream<AnnotationValue> values(AnnotationMirror mark) {
        return mark.getElementValues().values().stream()
                .flatMap(value ->
                        value.getValue() instanceof List<?> list
                                ? list.stream().map(AnnotationValue.class::cast)
                                : Stream.of(value));
    }

    private static Stream<AnnotationMirror> find(Element element, String name) {
        return element.getAnnotationMirrors().stream()
                .map(AnnotationMirror.class::cast)
                .filter(mark ->
                        mark.getAnnotationType().asElement() instanceof TypeElement type
                                && type.getQualifiedName().contentEquals(name));
    }
}
