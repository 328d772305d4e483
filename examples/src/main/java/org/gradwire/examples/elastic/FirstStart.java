package org.gradwire.examples.elastic;

import org.gradwire.checkpoint.CheckpointStorage;

import java.io.IOException;
import java.util.Locale;

/** Settings of the run that a process belongs to, and its first process. */
public final class FirstStart {

    private FirstStart() {}

    /** {@return a setting of this worker: a property if it was a standby, else a variable} */
    public static String setting(String name, String defaultValue) {
        String variable = "GRADWIRE_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
        return System.getProperty(
                "gradwire." + name, System.getenv().getOrDefault(variable, defaultValue));
    }

    /** Remove the checkpoints of an earlier run, in the first process of the first worker. */
    public static void clear(CheckpointStorage storage) throws IOException {
        if (setting("rank", "0").equals("0") && setting("restart", "0").equals("0")) {
            for (String checkpoint : storage.published()) {
                storage.remove(checkpoint);
            }
        }
    }
}
