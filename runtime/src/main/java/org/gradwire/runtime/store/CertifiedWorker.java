package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Store;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.crypto.CertificateMonitor;
import org.gradwire.spi.crypto.Credentials;
import org.jspecify.annotations.Nullable;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The worker at the other end of a connection to the store, a client or the server, as its
 * certificate proves. Thread-safe.
 */
final class CertifiedWorker {
    private final String name;
    private final List<X509Certificate> chain;
    private final Credentials credentials;
    private final Instant end; // of the certificate that ends first
    private volatile Verification last;

    private record Verification(long nanos, Credentials.Contents with) {}

    CertifiedWorker(String name, List<X509Certificate> chain, Credentials credentials) {
        this.name = name;
        this.chain = List.copyOf(chain);
        this.credentials = credentials;
        end =
                chain.stream()
                        .map(certificate -> certificate.getNotAfter().toInstant())
                        .min(Comparator.naturalOrder())
                        .orElseThrow();
        last = new Verification(System.nanoTime(), credentials.contents());
    }

    /** {@return the name of the worker: proven if an identity is set, else only a claim} */
    String name() {
        return name;
    }

    /**
     * Require that the certificate is still accepted. It is verified once a second, and at once
     * when it has expired, or the files with authorities and revocations have changed: a worker
     * that its peers refuse must not report them as lost first.
     *
     * @throws RpcException when it has expired, was revoked, or is no longer trusted
     */
    void requireAccepted() {
        var now = new Verification(System.nanoTime(), credentials.contents());
        if (now.nanos() - last.nanos() < CertificateMonitor.INTERVAL_NANOS
                && now.with().equals(last.with())
                && !Instant.now().isAfter(end)) {
            return;
        }
        String refusal = credentials.refusal(chain, name);
        if (refusal != null) {
            throw new RpcException(
                    "the connection of the store and %s ends: %s".formatted(name, refusal));
        }
        last = now;
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
