package org.gradwire.checkpoint;

import java.util.UUID;
import java.util.regex.Pattern;

/** Names of checkpoints, of attempts to write one, and of their files. */
final class StepNames {
    static final String MANIFEST = "manifest.json";
    private static final Pattern NAME = Pattern.compile("step-(\\d{8,18})");
    private static final Pattern ATTEMPT = Pattern.compile("[0-9a-f-]{36}");
    private static final Pattern HIDDEN =
            Pattern.compile("\\.step-\\d{8,18}\\.[0-9a-f-]{36}\\.tmp");
    private static final Pattern FILE =
            Pattern.compile("manifest\\.json|rank-\\d{1,9}\\.safetensors");

    private StepNames() {}

    static String of(long step) {
        return "step-%08d".formatted(step);
    }

    static String attempt() {
        return UUID.randomUUID().toString();
    }

    /** {@return the directory of an attempt} */
    static String hidden(String name, String attempt) {
        return ".%s.%s.tmp".formatted(requireName(name), requireAttempt(attempt));
    }

    static String shard(int rank) {
        return "rank-%d.safetensors".formatted(rank);
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches() && name.equals(of(step(name)));
    }

    static boolean isHidden(String name) {
        return HIDDEN.matcher(name).matches();
    }

    static long step(String name) {
        return Long.parseLong(name.substring("step-".length()));
    }

    static String requireName(String name) {
        return require(isName(name), name, "a checkpoint, such as step-00000012");
    }

    static String requireAttempt(String name) {
        return require(ATTEMPT.matcher(name).matches(), name, "an attempt to write a checkpoint");
    }

    static String requireFile(String name) {
        return require(FILE.matcher(name).matches(), name, "a file of a checkpoint");
    }

    private static String require(boolean fits, String name, String kind) {
        if (!fits) {
            throw new IllegalArgumentException("'%s' is not the name of %s".formatted(name, kind));
        }
        return name;
    }
}
