package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcProvider;
import org.gradwire.runtime.call.UdfCodecs;
import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.function.Binder;
import org.gradwire.runtime.function.Defaults;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.gradwire.runtime.group.Backends;
import org.gradwire.runtime.group.Rendezvous;
import org.gradwire.runtime.simulation.Simulations;
import org.gradwire.runtime.stream.StreamOperators;
import org.gradwire.runtime.workers.BroadcastOperators;
import org.gradwire.security.Authorizer;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.DefaultParser;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.spi.OsNative;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.store.StoreProvider;
import org.jspecify.annotations.Nullable;

import java.lang.ref.Cleaner;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The entry point of the runtime, created by {@link ServiceLoader}. Thread-safe. */
public final class RuntimeProvider implements RpcProvider {
    private final Backends backends = new Backends(services(BackendProvider.class));
    private final List<RpcExtensionProvider> extensions = services(RpcExtensionProvider.class);
    private final Rendezvous rendezvous = new Rendezvous(services(StoreProvider.class));
    private final FunctionTable functions;
    private final ClassLoader loader = applicationLoader();
    private final SharedServices shared;

    /** Constructor for {@link ServiceLoader}. */
    public RuntimeProvider() {
        var defaults = new Defaults(services(DefaultParser.class).stream());
        var classes = new MarkedClasses(loader);
        functions = new FunctionTable(operators(), defaults, classes);
        shared =
                new SharedServices(
                        backends,
                        extensions,
                        services(Authorizer.class),
                        functions,
                        classes,
                        rendezvous,
                        new Simulations(),
                        Cleaner.create());
    }

    private static Stream<OperatorProvider> operators() {
        return Stream.concat(
                Stream.of(new BroadcastOperators(), new StreamOperators()),
                services(OperatorProvider.class).stream());
    }

    private static <T> List<T> services(Class<T> type) {
        return ServiceLoader.load(type, RuntimeProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** {@return the loader of user classes: the one that loaded the runtime} */
    private static ClassLoader applicationLoader() {
        ClassLoader own = RuntimeProvider.class.getClassLoader();
        return own == null ? ClassLoader.getSystemClassLoader() : own;
    }

    @Override
    public Rpc init(RpcOptions options) {
        try {
            var settings = LayeredSettings.collect(options, knownSettings(), loader);
            OsNative.check(settings);
            return new WorkerStart(shared, settings, new UdfCodecs(options.udfCodecs())).start();
        } catch (RpcConfigurationException e) {
            hideOwnFrames(e);
            throw e;
        }
    }

    private List<Setting> knownSettings() {
        List<Setting> known = new ArrayList<>(RuntimeSettings.ALL);
        known.addAll(backends.settings());
        known.addAll(rendezvous.settings());
        extensions.forEach(extension -> known.addAll(extension.settings()));
        return known;
    }

    @Override
    public Set<String> settingKeys() {
        return knownSettings().stream().map(Setting::key).collect(Collectors.toSet());
    }

    /** Remove the runtime's frames from the stack trace, so that it begins with the program's. */
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
}
