package org.gradwire.conformance.mutants;

import org.gradwire.conformance.harness.MapSettings;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.Settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Mutants that verify less of a certificate than they should. */
final class CertificateMutants {
    private static final String BOTH = "both.pem";
    private static final List<String> FILES =
            List.of(Settings.CERTIFICATE, Settings.PRIVATE_KEY, Settings.TRUST);

    static final List<Mutant> ALL =
            List.of(
                    // Workers with certificates talk to those without.
                    ofSettings(
                            "DOES_WITHOUT_CERTIFICATES",
                            List.of("AUTH-4"),
                            settings -> {
                                settings.remove(Settings.IDENTITY);
                                settings.remove(Settings.REVOCATIONS);
                                FILES.forEach(settings::remove);
                            }),
                    // Any certificate of the group will do.
                    ofSettings(
                            "COMPARES_NO_NAMES",
                            List.of("AUTH-5"),
                            settings -> settings.remove(Settings.IDENTITY)),
                    // Every authority that the test has made is trusted.
                    ofSettings(
                            "TRUSTS_EVERY_AUTHORITY",
                            List.of("AUTH-6"),
                            settings ->
                                    settings.computeIfPresent(
                                            Settings.TRUST, (_, file) -> everyAuthority(file))),
                    // The list of revoked certificates is not read.
                    ofSettings(
                            "READS_NO_REVOCATIONS",
                            List.of("AUTH-7", "AUTH-8"),
                            settings -> settings.remove(Settings.REVOCATIONS)),
                    // Later changes of the list are not seen.
                    ofSettings(
                            "READS_REVOCATIONS_ONCE",
                            List.of("AUTH-8"),
                            settings ->
                                    settings.computeIfPresent(
                                            Settings.REVOCATIONS, (_, file) -> snapshot(file))),
                    // A renewed certificate is not seen.
                    ofSettings(
                            "READS_CERTIFICATES_ONCE",
                            List.of("AUTH-9"),
                            settings ->
                                    FILES.forEach(key ->
                                            settings.computeIfPresent(
                                                    key, (_, file) -> snapshot(file)))),
                    // An authority that is no longer trusted remains trusted.
                    ofSettings(
                            "READS_TRUST_ONCE",
                            List.of("AUTH-9"),
                            settings ->
                                    settings.computeIfPresent(
                                            Settings.TRUST, (_, file) -> snapshot(file))));

    private CertificateMutants() {}

    /** Changes settings. */
    private interface Change {
        void apply(Map<String, String> settings);
    }

    private static Mutant ofSettings(String name, List<String> breaks, Change change) {
        return Mutant.ofContexts(
                name,
                breaks,
                context ->
                        new AgentContext(
                                context.self(),
                                changed(context.settings(), change),
                                context.store(),
                                context.allocator(),
                                context.time()));
    }

    private static Settings changed(Settings settings, Change change) {
        if (!(settings instanceof MapSettings(Map<String, String> values))) {
            throw new IllegalArgumentException("mutants get the settings of the kit");
        }
        Map<String, String> copy = new HashMap<>(values);
        change.apply(copy);
        return new MapSettings(copy);
    }

    /** {@return the file with all authorities, in the folder that contains theirs} */
    private static String everyAuthority(String trust) {
        Path file = Path.of(trust);
        return file.endsWith(BOTH)
                ? trust
                : file.resolve("../..").resolve(BOTH).normalize().toString();
    }

    private static String snapshot(String file) {
        try {
            Path copy = Files.createTempFile("gradwire-mutant", ".pem");
            copy.toFile().deleteOnExit();
            return Files.write(copy, Files.readAllBytes(Path.of(file))).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
