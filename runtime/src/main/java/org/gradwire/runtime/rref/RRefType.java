package org.gradwire.runtime.rref;

import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

/**
 * What is known of a referenced value everywhere: by what kind of function it was made, which
 * decides how it is fetched, and the simple name of its type.
 *
 * @param kind of the function that made it; {@link FunctionKind#USER} for values given by programs
 * @param module whether it is a module that was declared as its interface, and stays with its owner
 * @param name of the declared type
 */
public record RRefType(FunctionKind kind, boolean module, String name) {
    private static final String MODULE = "module:"; // no name of a type has a colon
    private static final int MAX_LENGTH = 1024; // a value keeps it

    public RRefType(FunctionKind kind, String name) {
        this(kind, false, name);
    }

    /** Return the type of the values that a function makes. */
    public static RRefType madeBy(FunctionKind kind, RemoteFunction function) {
        return new RRefType(
                kind, function.declared().returnsModule(), function.schema().returnType());
    }

    String text() {
        return kind + ":" + (module ? MODULE : "") + name;
    }

    /**
     * Parse what a worker has sent.
     *
     * @throws DecodingException when it is no type, or too long for one
     */
    static RRefType parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new DecodingException(
                    "the type of a reference has %d characters; at most %d"
                            .formatted(text.length(), MAX_LENGTH));
        }
        int colon = text.indexOf(':');
        for (FunctionKind kind : FunctionKind.values()) {
            if (colon > 0 && kind.name().equals(text.substring(0, colon))) {
                String rest = text.substring(colon + 1);
                return rest.startsWith(MODULE)
                        ? new RRefType(kind, true, rest.substring(MODULE.length()))
                        : new RRefType(kind, rest);
            }
        }
        throw new DecodingException(
                "'%s' is no type of a reference".formatted(UntrustedText.quote(text)));
    }
}
