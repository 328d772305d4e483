package org.gradwire.collective;

import org.gradwire.spi.Setting;

/**
 * Finds the line of the program that calls an operation.
 *
 * @param wanted whether to; a stack walk takes longer than a small operation
 */
record CallSites(boolean wanted) {
    static final Setting SETTING =
            new Setting(
                    "gradwire.collective.call-sites",
                    "false",
                    "Whether collective operations name the lines that called them when members"
                            + " call different ones; a stack walk for each operation.");

    private static final StackWalker WALKER = StackWalker.getInstance();

    /** {@return the calling line of the program; empty if unknown or not wanted} */
    String here() {
        return wanted
                ? WALKER.walk(frames ->
                        frames.filter(frame -> !isOfGradwire(frame.getClassName()))
                                .findFirst()
                                .map(CallSites::line)
                                .orElse(""))
                : "";
    }

    private static String line(StackWalker.StackFrame frame) {
        return frame.getFileName() + ":" + frame.getLineNumber();
    }

    private static boolean isOfGradwire(String type) {
        String ofPackage = type.substring(0, type.lastIndexOf('.') + 1);
        return ofPackage.equals("org.gradwire.collective.")
                || type.startsWith("org.gradwire.autograd.");
    }
}
