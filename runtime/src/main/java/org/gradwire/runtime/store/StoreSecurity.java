package org.gradwire.runtime.store;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * The proofs of a worker and a store over TCP for each other: the group's token, and certificates
 * if workers have them.
 *
 * @param identity null without certificates
 */
public record StoreSecurity(HandshakeProofs proofs, @Nullable HandshakeIdentity identity) {

    /**
     * Read the settings of a worker.
     *
     * @throws org.gradwire.rpc.RpcConfigurationException when its certificate cannot be used
     */
    public static StoreSecurity of(Settings settings, WorkerInfo self) {
        Credentials credentials = Credentials.read(settings, self.name());
        return new StoreSecurity(
                new HandshakeProofs(settings.find(Settings.AUTHENTICATION_TOKEN).orElse("")),
                credentials == null ? null : new HandshakeIdentity(credentials, self.name()));
    }

    /**
     * {@return the security of a group whose workers have no certificates}
     *
     * @param token empty for none
     */
    public static StoreSecurity withToken(String token) {
        return new StoreSecurity(new HandshakeProofs(token), null);
    }

    /** {@return whether this worker proves its identity, and requires it of the other side} */
    boolean hasCertificate() {
        return identity != null;
    }
}
