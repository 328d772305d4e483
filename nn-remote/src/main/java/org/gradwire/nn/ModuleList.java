package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;

import java.util.Iterator;
import java.util.List;

/**
 * A list of child modules, named by position. The enclosing module defines how they are called.
 *
 * @param <M> the type of all of them
 */
@RemoteCallable
@WireValue
public final class ModuleList<M extends Module> extends Module
        implements Iterable<M>, WireModule<ModuleList.Configuration<M>> {
    private final List<M> modules;

    /**
     * The configuration of a list.
     *
     * @param modules each sent as its own value
     */
    @WireValue
    public record Configuration<M extends Module>(List<M> modules) {}

    /** Create a list. */
    public ModuleList(List<? extends M> modules) {
        this.modules = List.copyOf(modules);
        for (int i = 0; i < this.modules.size(); i++) {
            registerModule(Integer.toString(i), this.modules.get(i));
        }
    }

    /** Create a list of the modules of another. */
    public ModuleList(Configuration<M> configuration) {
        this(configuration.modules());
    }

    @Override
    public Configuration<M> configuration() {
        return new Configuration<>(modules);
    }

    /** {@return the number of modules} */
    public int size() {
        return modules.size();
    }

    /** {@return the module at a position, from 0 on} */
    public M get(int index) {
        return modules.get(index);
    }

    @Override
    public Iterator<M> iterator() {
        return modules.iterator();
    }
}
