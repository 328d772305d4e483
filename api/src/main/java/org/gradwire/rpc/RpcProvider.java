package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Method;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The implementation of this API, found with {@link ServiceLoader}. Applications do not call it;
 * {@code org.gradwire.runtime} provides it.
 */
public interface RpcProvider {

    /** Join a group as a worker; see {@link Rpc#init}. */
    Rpc init(RpcOptions options);

    /** {@return the keys of all settings of the installed modules} */
    Set<String> settingKeys();

    /** {@return the worker that runs the current thread's function; see {@link Rpc#current}} */
    Rpc current();

    /** Return the schema of a remote function; see {@link RemoteFunctions#schema}. */
    FunctionSchema schema(RpcFunction<?> function);

    /** Check a call's positional arguments; see {@link RemoteFunctions#bind}. */
    void checkBinding(Call<?> call);

    /** Return a reference to a method; see {@link RemoteFunctions#reference}. */
    RpcFunction<? extends @Nullable Object> function(Method method);

    /**
     * Return the arguments of a call, one for each parameter; see {@link
     * RemoteFunctions#positional(Call)}.
     */
    List<@Nullable Object> arguments(Call<?> call);

    /**
     * Return the arguments of a method of a reference's value; see {@link
     * RemoteFunctions#positional(Call, RRef)}.
     */
    List<@Nullable Object> arguments(Call<?> method, RRef<?> value);

    /**
     * Return the installed implementation.
     *
     * @throws RpcConfigurationException when there is none
     */
    static RpcProvider installed() {
        return InstalledProvider.get();
    }
}
