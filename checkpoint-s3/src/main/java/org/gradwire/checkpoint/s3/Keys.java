package org.gradwire.checkpoint.s3;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys of a storage: {@code step-00000012/manifest.json}, and shards below the id of the
 * attempt that wrote them, {@code step-00000012/<id>/rank-0.safetensors}.
 */
record Keys(S3Address address) {
    static final String MANIFEST = "manifest.json";
    private static final Pattern ATTEMPT = Pattern.compile("[0-9a-f-]{36}");
    private static final Pattern PATH =
            Pattern.compile(
                    "(step-\\d{8,18})/(?:manifest\\.json|([0-9a-f-]{36})/rank-\\d{1,9}\\.safetensors)");

    /**
     * A key of this storage.
     *
     * @param name of the checkpoint
     * @param attempt empty for the manifest
     */
    record ObjectKey(String key, String name, String attempt) {
        boolean isManifest() {
            return attempt.isEmpty();
        }
    }

    /** {@return the beginning of all keys, or of those of a checkpoint} */
    String prefix(String name) {
        return address.key(name.isEmpty() ? "step-" : name + "/");
    }

    String manifest(String name) {
        return address.key(name + "/" + MANIFEST);
    }

    String shard(String name, String attempt, String file) {
        return address.key("%s/%s/%s".formatted(name, attempt, file));
    }

    static boolean isAttempt(String text) {
        return ATTEMPT.matcher(text).matches();
    }

    /** {@return a key that was found; empty if it is not one of this storage's} */
    Optional<ObjectKey> parse(String key) {
        String start = address.key("");
        Matcher path = PATH.matcher(key.startsWith(start) ? key.substring(start.length()) : "");
        return path.matches()
                ? Optional.of(
                        new ObjectKey(
                                key, path.group(1), path.group(2) == null ? "" : path.group(2)))
                : Optional.empty();
    }
}
