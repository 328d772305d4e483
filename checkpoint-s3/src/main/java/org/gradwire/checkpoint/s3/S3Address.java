package org.gradwire.checkpoint.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of checkpoints in an object store.
 *
 * @param prefix of all keys, without slashes at its ends; empty for none
 */
record S3Address(String bucket, String prefix) {
    static final String SCHEME = "s3";
    private static final Pattern ADDRESS =
            Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");
    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9!_.*'()=+-]{1,200}");
    private static final int MAX_PREFIX = 700; // of the 1024 bytes that a key may have

    static S3Address parse(String address) {
        Matcher parts = ADDRESS.matcher(address);
        String prefix = "";
        if (parts.matches() && parts.group(2) != null) {
            prefix = parts.group(2).replaceFirst("/$", "");
        }
        if (!parts.matches() || !isPrefix(prefix)) {
            throw new IllegalArgumentException(
                    "'%s' is not an address of S3; use s3://bucket/prefix, with letters, digits and !-_.*'()=+ in the prefix"
                            .formatted(address));
        }
        return new S3Address(parts.group(1), prefix);
    }

    private static boolean isPrefix(String prefix) {
        if (prefix.isEmpty()) {
            return true;
        }
        for (String segment : prefix.split("/", -1)) {
            if (!SEGMENT.matcher(segment).matches() || segment.matches("\\.+")) {
                return false;
            }
        }
        return prefix.length() <= MAX_PREFIX;
    }

    /** {@return the key of a file below the prefix} */
    String key(String path) {
        return prefix.isEmpty() ? path : prefix + "/" + path;
    }

    @Override
    public String toString() {
        return "%s://%s/%s".formatted(SCHEME, bucket, prefix);
    }
}
