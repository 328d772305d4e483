package org.gradwire.conformance.harness;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two authorities with certificates for the rules about certificates, which all rules of a JVM
 * share, since a certificate takes half a second. Their files are deleted at its end. Thread-safe.
 */
public final class TestAuthorities {
    /** The identity that names a worker. */
    public static final String IDENTITY = "spiffe://kit/group/{worker}";

    private static final String BOTH = "both.pem";

    private final Path directory;
    private final CertificateAuthority own;
    private final CertificateAuthority foreign;
    private final Map<String, Issued> issued = new HashMap<>(); // guarded by this

    private TestAuthorities(Path directory) throws IOException {
        this.directory = directory;
        own = CertificateAuthority.create(Files.createDirectory(directory.resolve("own")));
        foreign = CertificateAuthority.create(Files.createDirectory(directory.resolve("foreign")));
        Files.writeString(
                directory.resolve(BOTH),
                Files.readString(own.trust()) + Files.readString(foreign.trust()));
    }

    private static final class Shared {
        static final TestAuthorities INSTANCE = create();
    }

    /** {@return the authorities of this JVM} */
    public static TestAuthorities shared() {
        return Shared.INSTANCE;
    }

    private static TestAuthorities create() {
        try {
            var created = new TestAuthorities(Files.createTempDirectory("gradwire-authorities"));
            Runtime.getRuntime().addShutdownHook(new Thread(created::delete));
            return created;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return a file with the certificates of both authorities} */
    public Path both() {
        return directory.resolve(BOTH);
    }

    /** {@return a new file with the certificates of both authorities} */
    public Path copyOfBoth() {
        try {
            Path copy = Files.createTempFile(own.trust().getParent(), "trust", ".pem");
            copy(both(), copy);
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replace a copy by the certificate of the second authority. */
    public void trustForeign(Path copyOfBoth) {
        copy(foreignTrust(), copyOfBoth);
    }

    /** {@return the file with the certificate of the second authority} */
    public Path foreignTrust() {
        return foreign.trust();
    }

    /** {@return the settings of a worker with a certificate of the first authority} */
    public Map<String, String> settings(int worker) {
        return settings(own, worker, own.trust());
    }

    /** {@return the settings of a worker that has a certificate of the second authority} */
    public Map<String, String> foreignSettings(int worker) {
        return settings(foreign, worker, both());
    }

    private Map<String, String> settings(CertificateAuthority authority, int worker, Path trust) {
        Issued files = files(authority, worker);
        return new HashMap<>(
                Map.of(
                        Settings.CERTIFICATE, files.certificate().toString(),
                        Settings.PRIVATE_KEY, files.privateKey().toString(),
                        Settings.TRUST, trust.toString(),
                        Settings.IDENTITY, IDENTITY));
    }

    private synchronized Issued files(CertificateAuthority authority, int worker) {
        String name = "worker" + worker;
        return issued.computeIfAbsent(
                (authority.equals(own) ? "own " : "foreign ") + name,
                _ -> {
                    try {
                        return authority.issue(name, IDENTITY.replace("{worker}", name));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /**
     * Copy the files of a certificate of the first authority.
     *
     * @return the settings with the copies
     */
    public Map<String, String> copiedSettings(int worker) {
        Map<String, String> settings = settings(worker);
        settings.put(Settings.TRUST, both().toString());
        for (String key : List.of(Settings.CERTIFICATE, Settings.PRIVATE_KEY)) {
            Path copy = newFile();
            copy(Path.of(settings.get(key)), copy);
            settings.put(key, copy.toString());
        }
        return settings;
    }

    /** Replace copied files by those of a certificate of the second authority. */
    public void renew(Map<String, String> copied, int worker) {
        Map<String, String> renewed = foreignSettings(worker);
        for (String key : List.of(Settings.PRIVATE_KEY, Settings.CERTIFICATE)) {
            copy(Path.of(renewed.get(key)), Path.of(copied.get(key)));
        }
    }

    /** {@return a new file with the list of revoked certificates of the first authority} */
    public Path revocations(int... workers) {
        Path list = newFile();
        revoke(list, workers);
        return list;
    }

    /** Replace a list of revoked certificates. */
    public synchronized void revoke(Path list, int... workers) {
        try {
            String[] names = new String[workers.length];
            for (int i = 0; i < names.length; i++) {
                var _ = settings(workers[i]); // issued by now
                names[i] = "worker" + workers[i];
            }
            copy(own.revoke(names), list);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) {
        try {
            CertificateAuthority.replace(to, from);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path newFile() {
        try {
            return Files.createTempFile(directory, "file", ".pem");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void delete() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
