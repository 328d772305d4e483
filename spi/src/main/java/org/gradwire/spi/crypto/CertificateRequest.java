package org.gradwire.spi.crypto;

import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A new private key, and the request for a certificate of an authority in another process. The key
 * does not leave this host. For one thread.
 */
public final class CertificateRequest {
    private final Path directory;
    private final String name;
    private final KeyTool keyTool;
    private final String text;

    private CertificateRequest(Path directory, String name) throws IOException {
        this.directory = directory;
        this.name = name;
        keyTool = KeyTool.forNewStore(directory.resolve(name + ".p12"));
        keyTool.generate(name, List.of());
        Path file = directory.resolve(name + ".request.pem");
        KeyTool.write(file, "");
        keyTool.run(List.of("-certreq", "-alias", name, "-file", file.toString()));
        text = Files.readString(file);
        Files.delete(file);
    }

    /**
     * Create a key and a request.
     *
     * @param directory for its files; exists, and only the user can enter it
     * @param name of the files; letters, digits, {@code -} and {@code _}
     * @throws IOException if a file cannot be written, or {@code keytool} fails
     */
    public static CertificateRequest create(Path directory, String name) throws IOException {
        return new CertificateRequest(directory, name);
    }

    /** {@return the request: PKCS #10 in PEM} */
    public String text() {
        return text;
    }

    /**
     * Write the files of a worker.
     *
     * @param certificate that the authority has issued, PEM
     * @param trust the authority's certificate, PEM
     */
    public Issued write(String certificate, String trust) throws IOException {
        Path own = directory.resolve(name + ".pem");
        Path key = directory.resolve(name + ".key.pem");
        Path authority = directory.resolve(name + ".trust.pem");
        KeyTool.write(own, certificate);
        KeyTool.writePem(key, "PRIVATE KEY", keyTool.privateKey(name));
        KeyTool.write(authority, trust);
        Files.delete(keyTool.store());
        return new Issued(own, key, authority);
    }
}
