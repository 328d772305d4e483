package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Store;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.crypto.CertificateMonitor;
import org.gradwire.spi.crypto.Credentials;
import org.jspecify.annotations.Nullable;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The worker at the other end of a connection to the store, a client or the server, as its
 * certificate proves. Thread-safe.
 */
final class CertifiedWorker {
    private final String name;
    private final List<X509Certificate> chain;
    private final Credentials credentials;
    private volatile long verifiedNanos = System.nanoTime();

    CertifiedWorker(String name, List<X509Certificate> chain, Credentials credentials) {
        this.name = name;
        this.chain = List.copyOf(chain);
        this.credentials = credentials;
    }

    /** {@return the name of the worker: proven if an identity is set, else only a claim} */
    String name() {
        return name;
    }

    /**
     * Require that the certificate is still accepted. It is verified at most once a second.
     *
     * @throws RpcException when it has expired, was revoked, or is no longer trusted
     */
    void requireAccepted() {
        long now = System.nanoTime();
        if (now - verifiedNanos < CertificateMonitor.INTERVAL_NANOS) {
            return;
        }
        String refusal = credentials.refusal(chain, name);
        if (refusal != null) {
            throw new RpcException(
                    "the connection of the store and %s ends: %s".formatted(name, refusal));
        }
        verifiedNanos = now;
    }

    /**
     * Require that the worker may write a key.
     *
     * @throws RpcException when the key belongs to another worker
     */
    void requireMayWrite(String key) {
        @Nullable String owner = Store.ownerOf(key);
        if (owner != null && !owner.equals(name)) {
            throw new RpcException(
                    "only the worker with the name '%s' may write the key '%s' of the store, and this is '%s'"
                            .formatted(UntrustedText.quote(owner), UntrustedText.quote(key), name));
        }
    }
}
