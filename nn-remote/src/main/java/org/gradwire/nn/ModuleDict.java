package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A map of child modules by name, in insertion order. The enclosing module defines how they are
 * called.
 *
 * @param <M> the type of the modules
 */
@RemoteCallable
@WireValue
public final class ModuleDict<M extends Module> extends Module
        implements WireModule<ModuleDict.Configuration<M>> {
    private final Map<String, M> modules = new LinkedHashMap<>();

    /**
     * The configuration of a dictionary.
     *
     * @param names one for each module
     * @param modules each sent as its own value
     */
    @WireValue
    public record Configuration<M extends Module>(List<String> names, List<M> modules) {

        /** Validates and copies the lists. */
        public Configuration {
            names = List.copyOf(names);
            modules = List.copyOf(modules);
            if (names.size() != modules.size()) {
                throw new IllegalArgumentException(
                        "expected a name for each module, got %d for %d"
                                .formatted(names.size(), modules.size()));
            }
        }
    }

    /** Create a dictionary, in the order of a map. */
    public ModuleDict(Map<String, ? extends M> modules) {
        this(
                new Configuration<M>(
                        new ArrayList<>(modules.keySet()), new ArrayList<>(modules.values())));
    }

    /** Create a dictionary of the modules of another. */
    public ModuleDict(Configuration<M> configuration) {
        for (int i = 0; i < configuration.names.size(); i++) {
            String name = configuration.names.get(i);
            M module = configuration.modules.get(i);
            modules.put(name, module);
            registerModule(name, module);
        }
    }

    @Override
    public Configuration<M> configuration() {
        return new Configuration<>(
                new ArrayList<>(modules.keySet()), new ArrayList<>(modules.values()));
    }

    /** {@return the names, in order} */
    public Set<String> names() {
        return Collections.unmodifiableSet(modules.keySet());
    }

    /**
     * {@return the module of a name}
     *
     * @throws IllegalArgumentException when there is none
     */
    public M get(String name) {
        M module = modules.get(name);
        if (module == null) {
            throw new IllegalArgumentException(
                    "there is no module '%s'; there are %s".formatted(name, modules.keySet()));
        }
        return module;
    }
}
