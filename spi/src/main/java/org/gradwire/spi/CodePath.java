package org.gradwire.spi;

/**
 * How a class got into the JVM. Gradwire runs on either path, and its error texts say what is to be
 * done on the one where the class in question is.
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

    /** {@return the path where a class is} */
    public static CodePath of(Class<?> type) {
        return type.getModule().isNamed() ? MODULE_PATH : CLASS_PATH;
    }

    /**
     * {@return what a public type on this path needs besides to be used by others, to follow the
     * word "public" in a sentence: {@code ", in an exported package"}, or nothing}
     */
    public String inExportedPackage() {
        return this == MODULE_PATH ? ", in an exported package" : "";
    }

    /** {@return the path's name in a sentence, such as {@code module path}} */
    @Override
    public String toString() {
        return text;
    }
}
