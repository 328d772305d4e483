package org.gradwire.runtime.classes;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/** The classes of the class path. Listed on the first lookup. Thread-safe. */
final class ClassPathListing implements ListedClass.Origin {
    private final ClassLoader loader;
    private @Nullable Map<String, ListedClass> classes;

    ClassPathListing(ClassLoader loader) {
        this.loader = loader;
    }

    @Nullable ListedClass find(String name) {
        return classes().get(name);
    }

    private synchronized Map<String, ListedClass> classes() {
        if (classes == null) {
            Map<String, ListedClass> listed = new HashMap<>();
            ClassPath.of(loader)
                    .forEachClass(name -> listed.putIfAbsent(name, new ListedClass(name, this)));
            classes = listed;
        }
        return classes;
    }

    @Override
    public @Nullable InputStream open(String path) {
        return loader.getResourceAsStream(path);
    }

    @Override
    public Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, loader);
    }
}
