package org.gradwire.spi.crypto;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Trust managers of the JDK for given authorities and revocation lists. */
public final class TrustManagers {
    private static final String PKIX = "PKIX";

    private TrustManagers() {}

    /**
     * Create a trust manager.
     *
     * @param revocations null: no certificate is checked for revocation. Otherwise the list of its
     *     authority decides on the first certificate of a chain, which is refused if there is none
     * @throws GeneralSecurityException if the JDK cannot use the certificates
     */
    public static X509TrustManager of(
            Collection<X509Certificate> trusted, @Nullable List<X509CRL> revocations)
            throws GeneralSecurityException {
        Set<TrustAnchor> anchors =
                trusted.stream()
                        .map(certificate -> new TrustAnchor(certificate, null))
                        .collect(Collectors.toUnmodifiableSet());
        var parameters = new PKIXBuilderParameters(anchors, new X509CertSelector());
        parameters.setRevocationEnabled(revocations != null);
        if (revocations != null) {
            parameters.addCertStore(
                    CertStore.getInstance(
                            "Collection", new CollectionCertStoreParameters(revocations)));
            parameters.addCertPathChecker(fromLists());
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(PKIX);
        factory.init(new CertPathTrustManagerParameters(parameters));
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    private static PKIXRevocationChecker fromLists() throws GeneralSecurityException {
        var checker =
                (PKIXRevocationChecker) CertPathBuilder.getInstance(PKIX).getRevocationChecker();
        checker.setOptions(
                Set.of(
                        PKIXRevocationChecker.Option.PREFER_CRLS,
                        PKIXRevocationChecker.Option.NO_FALLBACK,
                        PKIXRevocationChecker.Option.ONLY_END_ENTITY));
        return checker;
    }
}
