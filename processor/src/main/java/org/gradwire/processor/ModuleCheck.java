package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Types;

/**
 * Checks a module marked {@code @WireValue}: a receiver must be able to create it from its
 * configuration.
 */
final class ModuleCheck {
    private static final String LAYERS = "org.gradwire.nn.";
    private static final String WIRE_MODULE = LAYERS + "WireModule";

    private final Types types;
    private final Travel travel;
    private final Reports reports;

    ModuleCheck(Types types, Travel travel, Reports reports) {
        this.types = types;
        this.travel = travel;
        this.reports = reports;
    }

    void check(TypeElement type, String name) {
        DeclaredType wireModule = wireModule(type.asType());
        if (type.getModifiers().contains(Modifier.ABSTRACT)) {
            reports.add(type, Problem.ABSTRACT_MODULE, name);
        } else if (wireModule == null) {
            reports.add(type, Problem.NO_CONFIGURATION, name);
        } else if (wireModule.getTypeArguments().size() == 1) {
            TypeMirror configuration = wireModule.getTypeArguments().getFirst();
            travel.check(type, configuration, "the configuration of " + name);
            if (!hasConstructor(type, configuration)) {
                reports.add(
                        type, Problem.NO_CONFIGURATION_CONSTRUCTOR, name, Names.of(configuration));
            }
        }
    }

    /** {@return whether there is a constructor, public except in this project's layers} */
    private boolean hasConstructor(TypeElement type, TypeMirror configuration) {
        boolean isLayer = type.getQualifiedName().toString().startsWith(LAYERS);
        return ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
                .filter(constructor ->
                        isLayer || constructor.getModifiers().contains(Modifier.PUBLIC))
                .filter(constructor -> constructor.getParameters().size() == 1)
                .anyMatch(constructor ->
                        types.isSameType(
                                types.erasure(constructor.getParameters().getFirst().asType()),
                                types.erasure(configuration)));
    }

    private @Nullable DeclaredType wireModule(TypeMirror type) {
        if (type instanceof DeclaredType declared
                && declared.asElement() instanceof TypeElement element
                && element.getQualifiedName().contentEquals(WIRE_MODULE)) {
            return declared;
        }
        for (TypeMirror above : types.directSupertypes(type)) {
            DeclaredType found = wireModule(above);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
