package org.gradwire.nn.wire;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;
import org.gradwire.spi.Worker;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Modules on the wire: class, configuration, state. Children in the configuration carry their own
 * parameters.
 */
final class ModuleCodec implements ValueCodec<Module> {
    private final ModuleTypes types;

    /** Attachment of a message for each module in it, after the modules in its configuration. */
    private record Travelled(Module module) {}

    ModuleCodec(Worker worker) {
        this.types = new ModuleTypes(worker::findMarkedClass, System.getLogger("org.gradwire.nn"));
    }

    @Override
    public String tag() {
        return "module";
    }

    @Override
    public Class<Module> type() {
        return Module.class;
    }

    /** Runs a constructor of the program. */
    @Override
    public boolean runsOnPoller() {
        return false;
    }

    /** Calls do not copy models implicitly. */
    @Override
    public boolean bindable() {
        return false;
    }

    @Override
    public void encode(Module value, Output out) {
        out.writeString(types.nameOf(value.getClass()));
        Record configuration = ((WireModule<?>) value).configuration();
        String refusal = ModuleTypes.missingConstructor(value.getClass(), configuration.getClass());
        if (refusal != null) {
            throw new TypeMismatchException(refusal);
        }
        int before = out.attached(Travelled.class).size();
        out.writeValue(configuration);
        ModuleState.of(value, since(before, out.attached(Travelled.class))).write(out);
        out.attach(Travelled.class, new Travelled(value));
    }

    @Override
    public Module decode(Input in) {
        Class<? extends Module> type = types.find(in.readString(), in.source());
        int before = in.attached(Travelled.class).size();
        if (!(in.readValue() instanceof Record configuration)) {
            throw new DecodingException(
                    "a module of %s came without a configuration".formatted(type.getName()));
        }
        Set<Module> apart = since(before, in.attached(Travelled.class));
        ReceivedState state = ReceivedState.read(in);
        Module module = ModuleTypes.make(type, configuration, state.mostBytes());
        state.giveTo(ModuleState.of(module, apart));
        in.attach(Travelled.class, new Travelled(module));
        return module;
    }

    private static Set<Module> since(int before, List<Travelled> all) {
        Set<Module> modules = Collections.newSetFromMap(new IdentityHashMap<>());
        all.subList(before, all.size()).forEach(travelled -> modules.add(travelled.module));
        return modules;
    }
}
