package org.gradwire.checkpoint;

import org.gradwire.spi.Setting;

import java.util.List;
import java.util.Set;

/**
 * Opens the storages of some URI schemes, for {@link CheckpointStorage#of}. A service with a public
 * constructor without arguments, as {@link java.util.ServiceLoader} requires.
 */
public interface CheckpointStorageProvider {

    /** {@return the URI schemes, lower-case; no other provider may have them} */
    Set<String> schemes();

    /**
     * {@return the settings of its storages, which hold for the whole JVM, each under {@code
     * gradwire.<scheme>.}}
     */
    default List<Setting> settings() {
        return List.of();
    }

    /**
     * Open a storage; nothing is sent.
     *
     * @throws IllegalArgumentException if the address is malformed; the message shows its form
     * @throws org.gradwire.rpc.RpcConfigurationException if a setting is wrong
     */
    CheckpointStorage open(String address);
}
