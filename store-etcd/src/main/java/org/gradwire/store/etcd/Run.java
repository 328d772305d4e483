package org.gradwire.store.etcd;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a job, from its first worker to its last: its keys are apart from those of earlier
 * runs.
 *
 * @param lease of all its keys that outlive a worker
 */
record Run(EtcdKeys keys, long lease) {
    private static final Pattern RECORD = Pattern.compile("([0-9a-f]{16}) (\\d{1,19})");

    /** {@return the value of the key that names the current run} */
    byte[] encode() {
        return (keys.run() + " " + lease).getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return null if the value names no run} */
    static @Nullable Run decode(String job, byte[] value) {
        Matcher matcher = RECORD.matcher(new String(value, StandardCharsets.US_ASCII));
        try {
            return matcher.matches()
                    ? new Run(new EtcdKeys(job, matcher.group(1)), Long.parseLong(matcher.group(2)))
                    : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }
}
