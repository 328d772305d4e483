package org.gradwire.attack.site;

import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The certificates of a group: the files of each worker, the authorities that all trust, and their
 * lists of revoked certificates. Files are replaced by renaming, so that no worker reads a part of
 * one. For one thread at a time.
 */
public final class GroupCertificates {
    /** A validity that outlasts a campaign. */
    public static final Duration LONG = Duration.ofHours(20);

    private static final String IDENTITY = "spiffe://attack/group/{worker}";
    private static final String NEXT = ".next";

    private final Path folder;
    private final Path trust;
    private final Path revocations;
    private final Map<String, Issuer> issuers = new HashMap<>(); // of the workers' certificates
    private @Nullable Issuer previous; // trusted too, while certificates are renewed
    private Issuer latest;
    private int authorities;
    private int certificates;

    /** An authority, and the names of the certificates that it has revoked. */
    private record Issuer(CertificateAuthority authority, List<String> revoked) {
        String trust() throws IOException {
            return Files.readString(authority.trust());
        }

        String revocations() throws IOException {
            return Files.readString(authority.revoke(revoked.toArray(String[]::new)));
        }
    }

    /** The name of each worker's present certificate. */
    private final Map<String, String> present = new HashMap<>();

    private GroupCertificates(Path folder) throws IOException {
        this.folder = folder;
        trust = folder.resolve("trust.pem");
        revocations = folder.resolve("revocations.pem");
        latest = newIssuer();
        publish();
    }

    /** Create the first authority. */
    static GroupCertificates create(Path folder) throws IOException {
        return new GroupCertificates(ownersOnly(folder));
    }

    private static Path ownersOnly(Path folder) throws IOException {
        Files.createDirectory(folder);
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }

    private Issuer newIssuer() throws IOException {
        Path own = ownersOnly(folder.resolve("authority-" + authorities++));
        return new Issuer(CertificateAuthority.create(own), new ArrayList<>());
    }

    /** Add an authority, which issues all further certificates. The last one stays trusted. */
    public void addAuthority() throws IOException {
        previous = latest;
        latest = newIssuer();
        publish();
    }

    /** {@return whether the previous authority is trusted too} */
    public boolean hasPrevious() {
        return previous != null;
    }

    /** Trust the latest authority only. */
    public void removePrevious() throws IOException {
        previous = null;
        publish();
    }

    /** {@return whether the latest authority has issued the certificates of these workers} */
    public boolean areOfLatest(List<String> workers) {
        return workers.stream().allMatch(worker -> latest.equals(issuers.get(worker)));
    }

    private void publish() throws IOException {
        Issuer before = previous;
        String lists = latest.revocations() + (before == null ? "" : before.revocations());
        write(revocations, lists); // first: without its list an authority accepts no certificate
        write(trust, latest.trust() + (before == null ? "" : before.trust()));
    }

    /**
     * Write a certificate with a new key for a worker, in place of its present one.
     *
     * @return the serial number, as the worker's log names it
     */
    public String renew(String worker, Duration validity) throws IOException {
        String name = worker + "-" + certificates++;
        Issued issued =
                latest.authority()
                        .issue(
                                name,
                                IDENTITY.replace("{worker}", worker),
                                "-startdate",
                                "-1d+" + validity.toSeconds() + "S",
                                "-validity",
                                "1");
        String serial = serial(issued.certificate());
        replace(issued.privateKey(), key(worker));
        replace(issued.certificate(), certificate(worker));
        issuers.put(worker, latest);
        present.put(worker, name);
        return serial;
    }

    private static String serial(Path certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            var read =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            return read.getSerialNumber().toString(16);
        } catch (CertificateException e) {
            throw new IOException(certificate + " does not hold a certificate", e);
        }
    }

    /** Revoke the present certificate of a worker. */
    public void revoke(String worker) throws IOException {
        String name = present.get(worker);
        Issuer issuer = issuers.get(worker);
        if (name == null || issuer == null) {
            throw new IllegalArgumentException(worker + " has no certificate");
        }
        issuer.revoked().add(name);
        publish();
    }

    /** {@return the settings of a worker, with whose files {@link #renew} was called} */
    Map<String, String> environment(String worker) {
        return environment(worker, trust);
    }

    /** {@return the settings of a worker that trusts the latest authority only} */
    Map<String, String> environmentOfNewcomer(String worker) {
        return environment(worker, latest.authority().trust());
    }

    private Map<String, String> environment(String worker, Path trusted) {
        return Map.of(
                "GRADWIRE_CERTIFICATE", certificate(worker).toString(),
                "GRADWIRE_PRIVATE_KEY", key(worker).toString(),
                "GRADWIRE_TRUST", trusted.toString(),
                "GRADWIRE_REVOCATIONS", revocations.toString(),
                "GRADWIRE_IDENTITY", IDENTITY);
    }

    private Path certificate(String worker) {
        return folder.resolve(worker + ".pem");
    }

    private Path key(String worker) {
        return folder.resolve(worker + ".key.pem");
    }

    private static void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + NEXT);
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void replace(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
}
