package org.gradwire.runtime.classes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.util.Map;
import java.util.stream.Collectors;

/** The classes of a named module. Listed on the first lookup. Thread-safe. */
final class ModuleListing implements ListedClass.Origin {
    private final Module module;
    private @Nullable Map<String, ListedClass> classes;

    ModuleListing(Module module) {
        this.module = module;
    }

    /** {@return a class in an exported package; null if there is none} */
    @Nullable ListedClass find(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 && module.isExported(name.substring(0, dot)) ? classes().get(name) : null;
    }

    private synchronized Map<String, ListedClass> classes() {
        if (classes == null) {
            classes = list();
        }
        return classes;
    }

    private Map<String, ListedClass> list() {
        ResolvedModule resolved =
                module.getLayer().configuration().findModule(module.getName()).orElseThrow();
        try (ModuleReader reader = resolved.reference().open()) {
            return reader.list()
                    .flatMap(path -> ClassNames.ofFile(path).stream())
                    .collect(Collectors.toMap(name -> name, this::listed, (a, _) -> a));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the classes of " + module, e);
        }
    }

    private ListedClass listed(String name) {
        return new ListedClass(name, this);
    }

    @Override
    public @Nullable InputStream open(String path) throws IOException {
        return module.getResourceAsStream(path);
    }

    @Override
    public Class<?> load(String name) throws ClassNotFoundException {
        Class<?> type = Class.forName(module, name);
        if (type == null) {
            throw new ClassNotFoundException(name + " in " + module);
        }
        return type;
    }
}
