package org.gradwire.runtime.classes;

import org.gradwire.rpc.WireValue;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * The classes that a peer may name: the classes of the module path and the class path with a mark
 * of Gradwire, and their subclasses. In named modules, only those in exported packages.
 *
 * <p>A name from a peer is only compared with the listed names of the program's modules and class
 * path. It never reaches a class loader or a file system, and unknown names are not cached. A class
 * is loaded only after its mark was found in its class file. Thread-safe.
 */
public final class MarkedClasses {
    /** Limit of characters in a name; longer names are unknown. */
    public static final int MAX_NAME_LENGTH = 512;

    private final ClassLoader loader;
    private final Map<String, ModuleListing> modules = new HashMap<>(); // by package
    private final ClassPathListing classPath;

    /**
     * Create the table. Modules and the class path are listed on the first lookup.
     *
     * @param loader the loader of the program's classes
     */
    public MarkedClasses(ClassLoader loader) {
        this.loader = loader;
        this.classPath = new ClassPathListing(loader);
        ModuleLayer layer = MarkedClasses.class.getModule().getLayer();
        if (layer != null) {
            addModules(layer, WireValue.class.getModule());
        }
    }

    private void addModules(ModuleLayer layer, Module api) {
        for (Module module : layer.modules()) {
            if (module.canRead(
                    api)) { // a module that does not read the module of the marks cannot use them
                var listing = new ModuleListing(module);
                module.getPackages().forEach(name -> modules.putIfAbsent(name, listing));
            }
        }
        layer.parents().forEach(parent -> addModules(parent, api));
    }

    /**
     * Return the class for a name that a peer sent, without initializing it.
     *
     * @return null if no marked class has this name
     */
    public @Nullable Class<?> find(String name) {
        ListedClass listed = listed(name);
        return listed == null ? null : listed.loadIfMarked(this::listed);
    }

    /**
     * Return the class for a name of this program, without initializing it.
     *
     * @param name must not come from a peer
     */
    public Class<?> findLocal(String name) throws ClassNotFoundException {
        return Class.forName(name, false, loader);
    }

    private @Nullable ListedClass listed(String name) {
        if (name.length() > MAX_NAME_LENGTH) {
            return null;
        }
        int dot = name.lastIndexOf('.');
        ModuleListing module = modules.get(name.substring(0, Math.max(dot, 0)));
        return module != null ? module.find(name) : classPath.find(name);
    }
}
