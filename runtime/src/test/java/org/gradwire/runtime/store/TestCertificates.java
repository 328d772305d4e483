package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.LayeredSettings;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The security of workers with certificates, for tests. */
final class TestCertificates {
    static final String PATTERN = "spiffe://test/group/{worker}";

    private TestCertificates() {}

    static StoreSecurity security(String worker, Issued files, String token) {
        return of(worker, files, token, Map.of(Settings.IDENTITY, PATTERN));
    }

    static StoreSecurity security(String worker, Issued files, String token, Path revocations) {
        return of(
                worker,
                files,
                token,
                Map.of(Settings.IDENTITY, PATTERN, Settings.REVOCATIONS, revocations.toString()));
    }

    /** {@return the security of a worker that does not compare names} */
    static StoreSecurity unnamed(String worker, Issued files, String token) {
        return of(worker, files, token, Map.of());
    }

    private static StoreSecurity of(
            String worker, Issued files, String token, Map<String, String> more) {
        Map<String, String> values = new HashMap<>(more);
        values.put(Settings.CERTIFICATE, files.certificate().toString());
        values.put(Settings.PRIVATE_KEY, files.privateKey().toString());
        values.put(Settings.TRUST, files.trust().toString());
        values.put(Settings.AUTHENTICATION_TOKEN, token);
        RpcOptions.Builder options = RpcOptions.builder();
        values.forEach(options::set);
        return StoreSecurity.of(
                LayeredSettings.collect(
                        options.build(),
                        RuntimeSettings.ALL,
                        TestCertificates.class.getClassLoader()),
                new WorkerInfo(1, worker));
    }
}
