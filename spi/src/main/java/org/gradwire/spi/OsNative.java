package org.gradwire.spi;

import org.gradwire.rpc.RpcConfigurationException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The switch for native forms in this JVM: calls of the C library, and the files of {@code /proc}
 * and {@code /dev/shm}.
 *
 * <p>The switch is {@code gradwire.os.native}, as system property or environment variable. It
 * applies to the whole JVM, since libraries are linked once, and is read once. Each use has a
 * portable form, for when the switch is off and for systems that lack or forbid the native one.
 */
public final class OsNative {
    /** Definition of the switch. */
    public static final Setting SETTING =
            new Setting(
                    "gradwire.os.native",
                    "on",
                    "Whether native forms are used if available: calls of the C library, /proc and"
                            + " /dev/shm. off: portable forms, which are slower. Applies to the whole JVM: as"
                            + " system property or environment variable only.");

    private static final String ON = "on";
    private static final String OFF = "off";
    private static final String VARIABLE = Settings.environmentName(SETTING.key());
    private static final boolean IS_ON = value().equals(ON);
    private static final Path OWN_PROCESS = Path.of("/proc/self/stat");

    private OsNative() {}

    /** {@return whether the switch is on; an invalid value counts as off} */
    public static boolean isOn() {
        return IS_ON;
    }

    /** {@return whether Linux's {@code /proc} can be read, and the switch is on} */
    public static boolean hasProc() {
        return IS_ON
                && System.getProperty("os.name", "").equals("Linux")
                && Files.isReadable(OWN_PROCESS);
    }

    /**
     * Check the value of the switch, and that a worker's settings do not contradict it.
     *
     * @throws RpcConfigurationException if its value is invalid, or was set where it has no effect
     */
    public static void check(Settings worker) {
        String value = value();
        if (!value.equals(ON) && !value.equals(OFF)) {
            throw new RpcConfigurationException(
                    "%s=%s (from %s) must be on or off".formatted(SETTING.key(), value, origin()));
        }
        String workers = worker.text(SETTING.key()).strip();
        if (!workers.equals(value)) {
            throw new RpcConfigurationException(
                    "%s=%s (from %s) holds for the whole JVM; set it as system property %1$s or as environment variable %s"
                            .formatted(
                                    SETTING.key(),
                                    workers,
                                    worker.origin(SETTING.key()),
                                    VARIABLE));
        }
    }

    private static String value() {
        return Optional.ofNullable(System.getProperty(SETTING.key()))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElse(SETTING.defaultValue());
    }

    private static String origin() {
        return System.getProperty(SETTING.key()) != null
                ? "system property " + SETTING.key()
                : "environment variable " + VARIABLE;
    }
}
