package org.gradwire.spi;

import java.util.List;

/**
 * Creates the {@link RpcExtension} of each worker of this JVM. A service with a public constructor
 * without arguments, as {@link java.util.ServiceLoader} requires.
 */
public interface RpcExtensionProvider {

    /** {@return a name for log lines and error messages} */
    String name();

    /** {@return the settings of the extension} */
    default List<Setting> settings() {
        return List.of();
    }

    /**
     * Create the extension of a worker.
     *
     * @param worker has not joined its group yet: nothing can be sent before a method of the {@link
     *     RpcExtension} is called
     */
    RpcExtension create(Worker worker);
}
