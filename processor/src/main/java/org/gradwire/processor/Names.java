package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

/** The names of elements in messages: short, as in the source. */
final class Names {

    private Names() {}

    static TypeElement ownerOf(ExecutableElement function) {
        return (TypeElement) Objects.requireNonNull(function.getEnclosingElement());
    }

    /** {@return the name of a function, such as {@code Jobs.scale} or {@code new Counter}} */
    static String of(ExecutableElement function) {
        String owner = of(ownerOf(function));
        return function.getKind() == ElementKind.CONSTRUCTOR
                ? "new " + owner
                : owner + "." + function.getSimpleName();
    }

    /** {@return the name of a type, with its enclosing types} */
    static String of(Element type) {
        return type.getEnclosingElement() instanceof TypeElement outer
                ? of(outer) + "." + type.getSimpleName()
                : type.getSimpleName().toString();
    }

    static String of(VariableElement parameter, ExecutableElement function) {
        return "parameter %s of %s".formatted(parameter.getSimpleName(), of(function));
    }

    /** {@return the type without annotations and packages} */
    static String of(TypeMirror type) {
        return switch (type) {
            case DeclaredType t -> of(t.asElement()) + arguments(t);
            case ArrayType t -> of(t.getComponentType()) + "[]";
            case TypeVariable t -> t.asElement().getSimpleName().toString();
            case WildcardType t ->
                    "?"
                            + bound(" extends ", t.getExtendsBound())
                            + bound(" super ", t.getSuperBound());
            case IntersectionType t ->
                    t.getBounds().stream().map(Names::of).collect(Collectors.joining(" & "));
            default -> type.getKind().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String bound(String keyword, @Nullable TypeMirror bound) {
        return bound == null ? "" : keyword + of(bound);
    }

    private static String arguments(DeclaredType type) {
        return type.getTypeArguments().isEmpty()
                ? ""
                : type.getTypeArguments().stream()
                        .map(Names::of)
                        .collect(Collectors.joining(", ", "<", ">"));
    }
}
