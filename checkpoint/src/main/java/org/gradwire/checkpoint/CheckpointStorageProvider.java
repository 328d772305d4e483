package org.gradwire.checkpoint;

import java.util.Set;

/**
 * Opens the storages of some URI schemes, for {@link CheckpointStorage#of}. A service with a public
 * constructor without arguments, as {@link java.util.ServiceLoader} requires.
 */
public interface CheckpointStorageProvider {

    /** {@return the URI schemes, lower-case; no other provider may have them} */
    Set<String> schemes();

    /**
     * Open a storage; nothing is sent.
     *
     * @throws IllegalArgumentException if the address is malformed; the message shows its form
     * @throws org.gradwire.rpc.RpcConfigurationException if a setting is wrong
     */
    CheckpointStorage open(String address);
}
