package org.gradwire.processor;

import java.util.List;

import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Checks that a caller can write a method reference to a function. */
final class ReferenceCheck {
    private static final int MOST_PARAMETERS = 6;

    private final Elements elements;
    private final Types types;
    private final Reports reports;

    ReferenceCheck(Elements elements, Types types, Reports reports) {
        this.elements = elements;
        this.types = types;
        this.reports = reports;
    }

    void check(ExecutableElement function) {
        String name = Names.of(function);
        int count = function.getParameters().size();
        if (count > MOST_PARAMETERS) {
            reports.add(function, Problem.TOO_MANY_PARAMETERS, name, count);
        }
        if (function.getKind() == ElementKind.CONSTRUCTOR) {
            checkConstructor(function, name);
        } else if (isHiddenByInstanceMethod(function)) {
            String reference = Names.of(Names.ownerOf(function)) + "::";
            reports.add(function, Problem.AMBIGUOUS, name, reference + function.getSimpleName());
        }
    }

    private void checkConstructor(ExecutableElement constructor, String name) {
        TypeElement type = Names.ownerOf(constructor);
        if (type.getModifiers().contains(Modifier.ABSTRACT)) {
            reports.add(constructor, Problem.ABSTRACT_CONSTRUCTOR, name);
        }
        // The compiler translates a reference to it into a lambda.
        if (type.getEnclosingElement() instanceof TypeElement
                && !type.getModifiers().contains(Modifier.STATIC)) {
            reports.add(constructor, Problem.INNER_CONSTRUCTOR, name);
        }
    }

    /**
     * {@return whether {@code T::m} is ambiguous: {@code T} has {@code static m(T, A)} and {@code
     * m(A)}}
     */
    private boolean isHiddenByInstanceMethod(ExecutableElement function) {
        TypeElement owner = Names.ownerOf(function);
        List<TypeMirror> parameters = parameters(function);
        if (!function.getModifiers().contains(Modifier.STATIC)
                || parameters.isEmpty()
                || !types.isSubtype(parameters.getFirst(), types.erasure(owner.asType()))) {
            return false;
        }
        List<TypeMirror> rest = parameters.subList(1, parameters.size());
        return ElementFilter.methodsIn(elements.getAllMembers(owner)).stream()
                .filter(method -> method.getSimpleName().equals(function.getSimpleName()))
                .filter(method -> method.getModifiers().contains(Modifier.PUBLIC))
                .filter(method -> !method.getModifiers().contains(Modifier.STATIC))
                .anyMatch(method -> takes(method, rest));
    }

    private boolean takes(ExecutableElement method, List<TypeMirror> arguments) {
        List<TypeMirror> parameters = parameters(method);
        if (parameters.size() != arguments.size()) {
            return false;
        }
        for (int i = 0; i < parameters.size(); i++) {
            if (!types.isSubtype(arguments.get(i), parameters.get(i))) {
                return false;
            }
        }
        return true;
    }

    private List<TypeMirror> parameters(ExecutableElement method) {
        return method.getParameters().stream()
                .map(VariableElement::asType)
                .map(types::erasure)
                .toList();
    }
}
