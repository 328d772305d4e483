package org.gradwire.spi;

import java.util.List;

/**
 * Makes the extension of each worker of this JVM. Provided as a service; the public constructor
 * without arguments is there for {@link java.util.ServiceLoader}.
 */
public interface RpcExtensionProvider {

    /** {@return a name for log lines and error messages} */
    String name();

    /** {@return the settings the extension knows} */
    default List<Setting> settings() {
        return List.of();
    }

    /**
     * Create the extension of a worker.
     *
     * @param worker has not joined its group yet: nothing can be sent before {@link RpcExtension}
     *     methods other than this are called
     */
    RpcExtension create(Worker worker);
}
