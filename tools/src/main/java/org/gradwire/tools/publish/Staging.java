package org.gradwire.tools.publish;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes a bundle for Maven Central from the files that {@code mvn deploy} put into a folder. */
final class Staging {
    private Staging() {}

    /**
     * Copy the artifacts, without the metadata that the repository makes itself, and write their
     * checksums and signatures.
     *
     * @param deployed the folder that Maven deployed to
     * @param bundle a folder that is empty, or not there yet
     * @param key the key to sign with, as gpg names it
     * @throws IOException when a file cannot be written, or gpg fails; the text says which
     */
    static void stage(Path deployed, Path bundle, Optional<String> key) throws IOException {
        for (Path file : BundleCheck.files(deployed)) {
            if (!BundleCheck.isArtifact(file)) {
                continue;
            }
            Path target = bundle.resolve(file);
            Files.createDirectories(target.getParent());
            Files.copy(deployed.resolve(file), target);
            for (Checksum kind : Checksum.ALL) {
                Files.writeString(kind.fileOf(target), kind.of(target));
            }
            if (key.isPresent()) {
                sign(target, key.get());
            }
        }
    }

    /** Sign a file, and verify the signature. */
    private static void sign(Path file, String key) throws IOException {
        String signature = BundleCheck.signatureOf(file).toString();
        gpg("--local-user", key, "--armor", "--output", signature, "--detach-sign", "" + file);
        gpg("--verify", signature, file.toString());
    }

    private static void gpg(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("gpg", "--batch", "--quiet"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + said.strip());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while gpg ran", e);
        }
    }
}
