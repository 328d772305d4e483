package org.gradwire.spi.process;

/**
 * The path that a class was loaded from: module path or class path. Error texts give the advice for
 * the path in use.
 */
public enum CodePath {
    /** As part of a named module: exports and flags of modules matter. */
    MODULE_PATH("module path"),
    /** As part of an unnamed module, which exports everything. */
    CLASS_PATH("class path");

    private final String text;

    CodePath(String text) {
        this.text = text;
    }

    /** {@return the path of a class} */
    public static CodePath of(Class<?> type) {
        return type.getModule().isNamed() ? MODULE_PATH : CLASS_PATH;
    }

    /**
     * {@return {@code ", in an exported package"} on the module path, else an empty text; for error
     * texts, after "public"}
     */
    public String inExportedPackage() {
        return this == MODULE_PATH ? ", in an exported package" : "";
    }

    /** {@return the name of the path, such as {@code module path}} */
    @Override
    public String toString() {
        return text;
    }
}
