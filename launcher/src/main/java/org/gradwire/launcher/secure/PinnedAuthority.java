package org.gradwire.launcher.secure;

import org.gradwire.spi.crypto.TrustManagers;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

import javax.net.ssl.X509TrustManager;

/** Trusts the server whose chain ends with the authority of a join token. */
final class PinnedAuthority implements X509TrustManager {
    private final JoinToken token;

    PinnedAuthority(JoinToken token) {
        this.token = token;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw new CertificateException("only servers are verified");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        X509Certificate authority = chain[chain.length - 1];
        if (!token.isOf(authority)) {
            throw new CertificateException(
                    "it is not the launcher that wrote the join token, or the token is of another run");
        }
        trusting(authority).checkServerTrusted(chain, authType);
        requireService(chain[0]);
    }

    /** Require that it is the join service's: workers have certificates of the authority too. */
    private static void requireService(X509Certificate certificate) throws CertificateException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names == null
                || names.stream().noneMatch(name -> RunAuthority.isService(name.get(1)))) {
            throw new CertificateException("it is a worker of the group, not its launcher");
        }
    }

    private static X509TrustManager trusting(X509Certificate authority)
            throws CertificateException {
        try {
            return TrustManagers.of(List.of(authority), null);
        } catch (GeneralSecurityException e) {
            throw new CertificateException("the authority cannot be used", e);
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
