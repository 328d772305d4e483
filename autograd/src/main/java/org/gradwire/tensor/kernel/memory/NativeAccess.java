package org.gradwire.tensor.kernel.memory;

/**
 * Permission of this module to call native code without a warning. Where the program was started
 * without the flag for it, the JVM prints four lines at the first restricted call, and a later JDK
 * will refuse it; so nothing native is used then.
 */
public final class NativeAccess {
    private static final Module SELF = NativeAccess.class.getModule();

    private NativeAccess() {}

    /** {@return whether the flag was given} */
    public static boolean isEnabled() {
        return SELF.isNativeAccessEnabled();
    }

    /** {@return instructions to enable it} */
    public static String advice() {
        return "start the program with --enable-native-access="
                + (SELF.isNamed() ? SELF.getName() : "ALL-UNNAMED");
    }
}
