package org.gradwire.processor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

import javax.annotation.processing.Filer;
import javax.annotation.processing.FilerException;
import javax.annotation.processing.Messager;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.FileObject;
import javax.tools.StandardLocation;

/**
 * Writes the parameter names of remote functions, for keyword arguments, into a resource for each
 * class, so that {@code javac -parameters} is not needed.
 *
 * <p>Each class has its own resource, which depends only on its source, so that incremental
 * compilation preserves those of other classes. A line is a method's name and descriptor, and the
 * names of its parameters after spaces.
 */
final class ParameterNames {
    /** The folder that {@code org.gradwire.runtime.function.ParameterNames} reads. */
    private static final String FOLDER = "META-INF/gradwire/parameters/";

    private final Elements elements;
    private final Types types;
    private final Filer filer;
    private final Messager messager;

    ParameterNames(Elements elements, Types types, Filer filer, Messager messager) {
        this.elements = elements;
        this.types = types;
        this.filer = filer;
        this.messager = messager;
    }

    /** Write the resource of a class, if any of its functions has parameters. */
    void write(TypeElement type) {
        List<String> lines =
                type.getEnclosedElements().stream()
                        .filter(ExecutableElement.class::isInstance)
                        .map(ExecutableElement.class::cast)
                        .filter(ParameterNames::hasNames)
                        .map(this::line)
                        .toList();
        if (!lines.isEmpty()) {
            write(type, lines);
        }
    }

    private static boolean hasNames(ExecutableElement function) {
        return Marks.isCallable(function)
                && !Marks.isBuiltin(function)
                && function.getModifiers().contains(Modifier.PUBLIC)
                && !function.getParameters().isEmpty();
    }

    private void write(TypeElement type, List<String> lines) {
        String path = FOLDER + elements.getBinaryName(type);
        try (OutputStream out = create(type, path).openOutputStream()) {
            String text = String.join("\n", lines) + "\n";
            out.write(text.getBytes(StandardCharsets.UTF_8)); // not the encoding of the sources
        } catch (IOException e) {
            messager.printError(
                    "the parameter names of %s cannot be written next to its class: %s"
                            .formatted(Names.of(type), e),
                    type);
        }
    }

    /**
     * Create the resource; only a compilation of several modules requires and allows a module name.
     */
    private FileObject create(TypeElement type, String path) throws IOException {
        try {
            return filer.createResource(StandardLocation.CLASS_OUTPUT, "", path, type);
        } catch (FilerException e) {
            ModuleElement module = elements.getModuleOf(type);
            if (module == null || module.isUnnamed()) {
                throw e;
            }
            String prefix = module.getQualifiedName() + "/";
            return filer.createResource(StandardLocation.CLASS_OUTPUT, prefix, path, type);
        }
    }

    private String line(ExecutableElement function) {
        return function.getSimpleName()
                + function.getParameters().stream()
                        .map(parameter -> descriptor(parameter.asType()))
                        .collect(Collectors.joining("", "(", ")"))
                + descriptor(function.getReturnType())
                + function.getParameters().stream()
                        .map(parameter -> " " + parameter.getSimpleName())
                        .collect(Collectors.joining());
    }

    private String descriptor(TypeMirror type) {
        TypeMirror erased = types.erasure(type);
        return switch (erased.getKind()) {
            case BOOLEAN -> "Z";
            case LONG -> "J";
            case BYTE, CHAR, SHORT, INT, FLOAT, DOUBLE, VOID ->
                    erased.getKind().name().substring(0, 1);
            case ARRAY -> "[" + descriptor(((ArrayType) erased).getComponentType());
            default -> "L" + className(erased) + ";";
        };
    }

    private String className(TypeMirror type) {
        return type.getKind() == TypeKind.DECLARED
                ? elements.getBinaryName((TypeElement) ((DeclaredType) type).asElement())
                        .toString()
                        .replace('.', '/')
                : type.toString(); // does not exist, which the compiler reports
    }
}
