package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcProvider;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.Defaults;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.runtime.simulation.Simulations;
import org.gradwire.runtime.store.GroupStore;
import org.gradwire.runtime.store.StoreFactory;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.DefaultParser;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.spi.OsNative;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.lang.ref.Cleaner;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;

/** The entry to the runtime. It holds what all workers of the JVM share. */
public final class RuntimeProvider implements RpcProvider {
    private final Backends backends = new Backends(services(BackendProvider.class));
    private final List<RpcExtensionProvider> extensions = services(RpcExtensionProvider.class);
    private final FunctionTable functions;
    private final StoreFactory stores = new StoreFactory();
    private final RendezvousPolicy rendezvousPolicy = new RendezvousPolicy(stores);
    private final Cleaner cleaner = Cleaner.create();
    private final Simulations simulations = new Simulations();
    private final ClassLoader loader = applicationLoader();
    private final MarkedClasses classes = new MarkedClasses(loader);

    /** For the ServiceLoader. */
    public RuntimeProvider() {
        var defaults = new Defaults(services(DefaultParser.class).stream());
        functions = new FunctionTable(services(OperatorProvider.class).stream(), defaults, classes);
    }

    private static <T> List<T> services(Class<T> type) {
        return ServiceLoader.load(type, RuntimeProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** User code and user types are found through the loader that found this runtime. */
    private static ClassLoader applicationLoader() {
        ClassLoader own = RuntimeProvider.class.getClassLoader();
        return own == null ? ClassLoader.getSystemClassLoader() : own;
    }

    @Override
    public Rpc init(RpcOptions options) {
        try {
            var settings = LayeredSettings.collect(options, knownSettings(), loader);
            OsNative.check(settings);
            return RpcWorker.join(this, settings, new UdfCodecs(options.udfCodecs()));
        } catch (RpcConfigurationException e) {
            hideOwnFrames(e);
            throw e;
        }
    }

    private List<Setting> knownSettings() {
        List<Setting> known = new ArrayList<>(RuntimeSettings.ALL);
        known.addAll(backends.settings());
        extensions.forEach(extension -> known.addAll(extension.settings()));
        return known;
    }

    @Override
    public Set<String> settingKeys() {
        return knownSettings().stream().map(Setting::key).collect(Collectors.toSet());
    }

    /** The sentence says what is wrong, and the program's frames where: ours say nothing. */
    private static void hideOwnFrames(RpcConfigurationException failure) {
        StackTraceElement[] all = failure.getStackTrace();
        for (int i = 0; i < all.length; i++) {
            if (all[i].getClassName().equals(Rpc.class.getName())) {
                failure.setStackTrace(Arrays.copyOfRange(all, i + 1, all.length));
                return;
            }
        }
    }

    @Override
    public Rpc current() {
        return RpcWorker.current();
    }

    @Override
    public FunctionSchema schema(RpcFunction<?> function) {
        return functions.resolve(function).function().schema();
    }

    @Override
    public void checkBinding(Call<?> call) {
        Binder.checkDefinition(functions.resolve(call.function()), call);
    }

    @Override
    public RpcFunction<? extends @Nullable Object> function(Method method) {
        return functions.reference(method);
    }

    @Override
    public List<@Nullable Object> arguments(Call<?> call) {
        ResolvedReference target = functions.resolve(call.function());
        List<@Nullable Object> all = Arrays.asList(Binder.bind(target, call));
        return target.receiver() == null ? all : all.subList(1, all.size());
    }

    @Override
    public List<@Nullable Object> arguments(Call<?> method, RRef<?> value) {
        ResolvedReference target = functions.resolve(method.function());
        List<@Nullable Object> all = Arrays.asList(Binder.bindMethod(target, value, method));
        return all.subList(1, all.size());
    }

    Backends backends() {
        return backends;
    }

    List<RpcExtensionProvider> extensions() {
        return extensions;
    }

    FunctionTable functions() {
        return functions;
    }

    /**
     * Open the store where the group of a worker meets.
     *
     * @param worldSize 0 in a dynamic group
     * @param timeout of its operations; zero means without end
     * @throws RpcConfigurationException when other hosts can reach the store and there is no token
     */
    GroupStore openStore(Settings settings, WorkerInfo self, int worldSize, Duration timeout) {
        rendezvousPolicy.check(settings);
        return stores.open(
                settings.text(RuntimeSettings.RENDEZVOUS),
                self.id(),
                worldSize,
                settings.find(Settings.AUTHENTICATION_TOKEN).orElse(""),
                timeout.isZero() ? Duration.ofDays(1) : timeout);
    }

    Cleaner cleaner() {
        return cleaner;
    }

    /**
     * {@return the simulation that a worker takes part in; null when it runs in real time}
     *
     * @param worldSize 0 in a dynamic group
     * @throws RpcConfigurationException when its group cannot be simulated
     */
    @Nullable Simulation simulation(Settings settings, WorkerInfo self, int worldSize) {
        if (settings.find(RuntimeSettings.SIMULATION_SEED).isEmpty()) {
            return null;
        }
        int seed =
                settings.integer(
                        RuntimeSettings.SIMULATION_SEED, Integer.MIN_VALUE, Integer.MAX_VALUE);
        if (worldSize == 0) {
            throw new RpcConfigurationException(
                    "%s=%d (from %s): only static groups can be simulated; set %s=static"
                            .formatted(
                                    RuntimeSettings.SIMULATION_SEED,
                                    seed,
                                    settings.origin(RuntimeSettings.SIMULATION_SEED),
                                    RuntimeSettings.GROUP));
        }
        return simulations.enter(
                settings.text(RuntimeSettings.RENDEZVOUS), seed, self.id(), worldSize);
    }

    MarkedClasses classes() {
        return classes;
    }
}
