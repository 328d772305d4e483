package org.gradwire.runtime.classes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A class of a listing. It is loaded at most once, and only if its class file has a mark. */
final class ListedClass {
    private final String name;
    private final Origin origin;
    private @Nullable Class<?> loaded; // written before `decided`
    private volatile boolean decided;

    /** The source of the classes of a listing. */
    interface Origin {
        @Nullable InputStream open(String path) throws IOException;

        Class<?> load(String name) throws ClassNotFoundException;
    }

    ListedClass(String name, Origin origin) {
        this.name = name;
        this.origin = origin;
    }

    /**
     * {@return the class, not initialized; null if it has no mark or cannot be loaded}
     *
     * <p>A failure to read or to load is not remembered: it may be temporary, such as a lack of
     * file descriptors.
     *
     * @param listings finds the classes that it inherits from
     */
    @Nullable Class<?> loadIfMarked(Function<String, @Nullable ListedClass> listings) {
        if (!decided) {
            try {
                loaded = isMarked(listings) ? origin.load(name) : null;
                decided = true;
            } catch (IOException | ClassNotFoundException | LinkageError _) {
                return null;
            }
        }
        return loaded;
    }

    private boolean isMarked(Function<String, @Nullable ListedClass> listings) throws IOException {
        ClassModel model = parse();
        if (model == null) {
            return false;
        }
        if (Marks.areOn(model)) {
            return true;
        }
        for (ClassEntry parent : parents(model)) {
            ListedClass listed = listings.apply(parent.asInternalName().replace('/', '.'));
            if (listed != null && listed.isMarked(listings)) {
                return true;
            }
        }
        return false;
    }

    private static List<ClassEntry> parents(ClassModel model) {
        List<ClassEntry> parents = new ArrayList<>(model.interfaces());
        model.superclass().ifPresent(parents::add);
        return parents;
    }

    private @Nullable ClassModel parse() throws IOException {
        try (InputStream in = origin.open(name.replace('.', '/') + ".class")) {
            return in == null ? null : ClassFile.of().parse(in.readAllBytes());
        } catch (IllegalArgumentException _) {
            return null; // not a class file that this JDK reads
        }
    }
}
