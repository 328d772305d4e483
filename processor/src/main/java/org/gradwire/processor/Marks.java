package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.List;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.QualifiedNameable;

/** Reads the API's annotations of an element, by name. */
final class Marks {
    static final String REMOTE_CALLABLE = "org.gradwire.rpc.RemoteCallable";
    static final String SCRIPT_FUNCTION = "org.gradwire.rpc.ScriptFunction";
    static final String ASYNC_EXECUTION = "org.gradwire.rpc.AsyncExecution";
    static final String RETRY = "org.gradwire.rpc.Retry";
    static final String NON_RETAINING = "org.gradwire.rpc.NonRetaining";
    static final String WIRE_VALUE = "org.gradwire.rpc.WireValue";
    static final String MODULE_INTERFACE = "org.gradwire.rpc.ModuleInterface";

    private static final String BUILTIN = "org.gradwire.rpc.Builtin";
    private static final String DEFAULT = "org.gradwire.rpc.Default";
    private static final String SUPPRESSION = "gradwire";

    private Marks() {}

    static boolean isRemoteCallable(Element element) {
        return find(element, REMOTE_CALLABLE) != null;
    }

    /** {@return whether a function is remotely callable, by its own mark or its type's} */
    static boolean isCallable(ExecutableElement function) {
        return isRemoteCallable(function)
                || isScript(function)
                || isRemoteCallable(Names.ownerOf(function));
    }

    static boolean isScript(Element element) {
        return find(element, SCRIPT_FUNCTION) != null;
    }

    static boolean isAsync(Element element) {
        return find(element, ASYNC_EXECUTION) != null;
    }

    static boolean isNonRetaining(Element element) {
        return find(element, NON_RETAINING) != null;
    }

    static boolean isWireValue(Element element) {
        return find(element, WIRE_VALUE) != null;
    }

    static boolean isModuleInterface(Element element) {
        return find(element, MODULE_INTERFACE) != null;
    }

    /**
     * {@return whether calls of the element travel as an operator's name, regardless of its marks}
     */
    static boolean isBuiltin(Element element) {
        return find(element, BUILTIN) != null;
    }

    /** {@return the text of a parameter's default; null without one} */
    static @Nullable String defaultText(Element parameter) {
        AnnotationMirror mirror = find(parameter, DEFAULT);
        return mirror == null
                ? null
                : mirror.getElementValues().values().stream()
                        .map(value -> value.getValue().toString())
                        .findFirst()
                        .orElse(null);
    }

    /** {@return whether the checks of an element, or of an enclosing one, are suppressed} */
    static boolean isSuppressed(Element element) {
        for (Element e = element; e != null; e = e.getEnclosingElement()) {
            var suppressed = e.getAnnotation(SuppressWarnings.class);
            if (suppressed != null && List.of(suppressed.value()).contains(SUPPRESSION)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the {@code @Retry} of a function; null without one} */
    static @Nullable AnnotationMirror retry(Element element) {
        return find(element, RETRY);
    }

    private static @Nullable AnnotationMirror find(Element element, String name) {
        for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
            if (mirror.getAnnotationType().asElement() instanceof QualifiedNameable type
                    && type.getQualifiedName().contentEquals(name)) {
                return mirror;
            }
        }
        return null;
    }
}
