package org.gradwire.runtime.classes;

import org.gradwire.rpc.WireValue;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * The classes that a peer may name: those of the module path and the class path that bear a mark of
 * Gradwire, or inherit from one that does. In named modules only those in exported packages.
 *
 * <p>A name from a peer is only compared with names from listings of the program's own modules and
 * class path. It reaches neither a class loader nor a file system, and nothing of an unknown name
 * is kept. No class is loaded before its mark is found in its class file. Thread-safe.
 */
public final class MarkedClasses {
    /** In characters; a longer name is unknown. */
    public static final int MAX_NAME_LENGTH = 512;

    private final ClassLoader loader;
    private final Map<String, ModuleListing> modules = new HashMap<>(); // by package
    private final ClassPathListing classPath;

    /**
     * Create the table. Modules and the class path are listed when a name is first looked up in
     * them.
     *
     * @param loader of the program's classes
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
            if (module.canRead(api)) { // a module that does not read it cannot bear its marks
                var listing = new ModuleListing(module);
                module.getPackages().forEach(name -> modules.putIfAbsent(name, listing));
            }
        }
        layer.parents().forEach(parent -> addModules(parent, api));
    }

    /**
     * Return the class with a name that a peer sent, without initializing it.
     *
     * @return null when there is no marked class with this name
     */
    public @Nullable Class<?> find(String name) {
        ListedClass listed = listed(name);
        return listed == null ? null : listed.loadIfMarked(this::listed);
    }

    /**
     * Return the class with a name that this program wrote, without initializing it.
     *
     * @param name never one that a peer sent
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
