package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.IntersectionType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Types;

/**
 * Checks that some value of a declared type can travel. An open type, such as an interface, passes.
 */
final class Travel {
    private static final List<String> BASES = List.of("java.lang.Record", "java.lang.Enum");

    private final WireTable table;
    private final Types types;
    private final Reports reports;

    /** A refusal: the problem, and the names in its message. */
    private record Refusal(Problem problem, Object... named) {}

    Travel(WireTable table, Types types, Reports reports) {
        this.table = table;
        this.types = types;
        this.reports = reports;
    }

    /** Report a parameter or component to which no value can be sent. */
    void check(Element where, String subject) {
        check(where, where.asType(), subject);
    }

    /** Report a type without a value that can be sent. */
    void check(Element where, TypeMirror type, String subject) {
        Refusal refusal = new Walk().refusal(type, true);
        if (refusal != null) {
            Object[] named = new Object[refusal.named().length + 1];
            named[0] = subject;
            System.arraycopy(refusal.named(), 0, named, 1, refusal.named().length);
            reports.add(where, refusal.problem(), named);
        }
    }

    /** Report a future as the first parameter, in the position of a receiver. */
    void checkNoFuture(Element where, String subject) {
        if (table.isFuture(types.erasure(where.asType()))) {
            reports.add(where, Problem.FUTURE, subject, Names.of(where.asType()));
        }
    }

    /** One traversal of a type; records its type variables, whose bounds may be recursive. */
    private final class Walk {
        private final Set<Element> variables = new HashSet<>();

        /**
         * Return the reason that no value of a type can travel; null if one may.
         *
         * @param declared whether an arriving value must also be an instance of the type
         */
        private @Nullable Refusal refusal(TypeMirror type, boolean declared) {
            return switch (type.getKind()) {
                case ARRAY -> array((ArrayType) type);
                case DECLARED -> object((DeclaredType) type, declared);
                case TYPEVAR -> variable((TypeVariable) type, declared);
                case INTERSECTION -> first(((IntersectionType) type).getBounds(), declared);
                case WILDCARD -> wildcard((WildcardType) type);
                default -> null;
            };
        }

        private @Nullable Refusal variable(TypeVariable variable, boolean declared) {
            return variables.add(variable.asElement())
                    ? refusal(variable.getUpperBound(), declared)
                    : null;
        }

        private @Nullable Refusal wildcard(WildcardType wildcard) {
            TypeMirror bound = wildcard.getExtendsBound();
            return bound == null ? null : refusal(bound, false);
        }

        private @Nullable Refusal first(List<? extends TypeMirror> all, boolean declared) {
            for (TypeMirror type : all) {
                Refusal refusal = refusal(type, declared);
                if (refusal != null) {
                    return refusal;
                }
            }
            return null;
        }

        private @Nullable Refusal object(DeclaredType type, boolean declared) {
            TypeMirror erased = types.erasure(type);
            if (table.isFuture(erased)) {
                return new Refusal(Problem.FUTURE, Names.of(type));
            }
            if (table.isCoded(erased)) {
                return null;
            }
            if (table.isModule(erased)) {
                return module((TypeElement) type.asElement());
            }
            if (table.arrives(erased)) {
                return elements(type);
            }
            TypeMirror collection = table.collectionOf(erased);
            return collection == null
                    ? single((TypeElement) type.asElement(), Names.of(type))
                    : collection(type, collection, declared);
        }

        /** Check a module; an unmarked one passes if it may have a marked subclass. */
        private @Nullable Refusal module(TypeElement type) {
            return type.getModifiers().contains(Modifier.FINAL) && !Marks.isWireValue(type)
                    ? new Refusal(Problem.UNMARKED, Names.of(type))
                    : null;
        }

        private @Nullable Refusal collection(
                DeclaredType type, TypeMirror collection, boolean declared) {
            return declared
                    ? new Refusal(
                            Problem.ARRIVES_AS_OTHER,
                            Names.of(type),
                            table.arrivalOf(collection),
                            Names.of(collection))
                    : elements(type);
        }

        /**
         * Check the elements of a collection of the JDK, whose type arguments are the element
         * types.
         */
        private @Nullable Refusal elements(DeclaredType type) {
            String name = ((TypeElement) type.asElement()).getQualifiedName().toString();
            return name.startsWith("java.util.") || name.equals("java.lang.Iterable")
                    ? first(type.getTypeArguments(), false)
                    : null;
        }

        private @Nullable Refusal single(TypeElement type, String name) {
            return switch (type.getKind()) {
                case RECORD, ENUM ->
                        Marks.isWireValue(type) ? null : new Refusal(Problem.UNMARKED, name);
                case INTERFACE, ANNOTATION_TYPE ->
                        isClosed(type) ? new Refusal(Problem.CANNOT_TRAVEL, name) : null;
                default -> new Refusal(Problem.CANNOT_TRAVEL, name);
            };
        }

        /** {@return whether no implementation of a sealed interface may travel} */
        private boolean isClosed(TypeElement type) {
            return type.getModifiers().contains(Modifier.SEALED)
                    && type.getPermittedSubclasses().stream()
                            .allMatch(permitted -> refusal(permitted, false) != null);
        }

        private @Nullable Refusal array(ArrayType array) {
            TypeMirror component = array.getComponentType();
            if (component.getKind().isPrimitive()) {
                return null;
            }
            TypeMirror erased = types.erasure(component);
            if (table.isArrayElement(erased)) {
                return null;
            }
            return erased.getKind() == TypeKind.DECLARED && !table.isCoded(erased)
                    ? component((TypeElement) ((DeclaredType) erased).asElement(), array)
                    : notSent(array);
        }

        private @Nullable Refusal component(TypeElement type, ArrayType array) {
            if (type.getKind().isInterface()
                    || BASES.contains(type.getQualifiedName().toString())) {
                return null;
            }
            return type.getKind() == ElementKind.RECORD || type.getKind() == ElementKind.ENUM
                    ? single(type, Names.of(type))
                    : notSent(array);
        }

        private Refusal notSent(ArrayType array) {
            return new Refusal(Problem.ARRAY, Names.of(array));
        }
    }
}
