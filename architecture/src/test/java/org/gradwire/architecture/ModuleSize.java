package org.gradwire.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Size of a module and of its public API.
 *
 * @param types public top-level types of its exported packages
 * @param methods public methods of these and of the public types nested in them, without
 *     constructors, methods of {@link Object} and generated members
 * @param lines of {@code src/main/java}
 */
record ModuleSize(long types, long methods, long lines) {
    private static final Set<String> OF_ENUMS = Set.of("values", "valueOf");
    private static final Set<String> OF_OBJECT =
            Set.of("toString()Ljava/lang/String;", "hashCode()I", "equals(Ljava/lang/Object;)Z");

    static ModuleSize of(GradwireModule module) {
        List<ClassModel> exported = new ArrayList<>();
        for (String name : module.exportedPackages()) {
            exported.addAll(publicTypes(module.classes().resolve(name.replace('.', '/'))));
        }
        return new ModuleSize(
                exported.stream().filter(model -> !isNested(model)).count(),
                exported.stream()
                        .flatMap(model -> model.methods().stream())
                        .filter(ModuleSize::isOffered)
                        .count(),
                lines(module.sources()));
    }

    private static List<ClassModel> publicTypes(Path folder) {
        List<ClassModel> models = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                models.add(ClassFile.of().parse(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> hidden =
                models.stream()
                        .filter(model -> !isPublic(model))
                        .map(model -> model.thisClass().asInternalName())
                        .toList();
        models.removeIf(model -> hidden.stream().anyMatch(name -> isWithin(model, name)));
        return models;
    }

    private static boolean isWithin(ClassModel model, String internalName) {
        String name = model.thisClass().asInternalName();
        return name.equals(internalName) || name.startsWith(internalName + "$");
    }

    private static boolean isNested(ClassModel model) {
        return model.thisClass().asInternalName().contains("$");
    }

    /** The attribute InnerClasses has the access of a nested type. */
    private static boolean isPublic(ClassModel model) {
        return model
                .findAttribute(Attributes.innerClasses())
                .map(InnerClassesAttribute::classes)
                .orElse(List.of())
                .stream()
                .filter(inner -> inner.innerClass().equals(model.thisClass()))
                .findFirst()
                .map(inner -> inner.has(AccessFlag.PUBLIC))
                .orElseGet(() -> model.flags().has(AccessFlag.PUBLIC));
    }

    private static boolean isOffered(MethodModel method) {
        String name = method.methodName().stringValue();
        return method.flags().has(AccessFlag.PUBLIC)
                && !method.flags().has(AccessFlag.SYNTHETIC)
                && !name.startsWith("<")
                && !OF_OBJECT.contains(name + method.methodType().stringValue())
                && !isGeneratedForEnum(method);
    }

    private static boolean isGeneratedForEnum(MethodModel method) {
        return OF_ENUMS.contains(method.methodName().stringValue())
                && method.parent()
                        .flatMap(ClassModel::superclass)
                        .filter(parent -> parent.asInternalName().equals("java/lang/Enum"))
                        .isPresent();
    }

    private static long lines(Path sources) {
        long lines = 0;
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                lines += Files.readAllLines(file).size();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }
}
