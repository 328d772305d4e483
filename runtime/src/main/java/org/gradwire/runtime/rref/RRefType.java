package org.gradwire.runtime.rref;

import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

/**
 * The type of a referenced value: the kind of its function, which determines the message that
 * fetches it, and the simple name of its class.
 *
 * @param kind of its function; {@link FunctionKind#USER} for values of programs
 * @param module whether it is a module declared as its interface, which stays with its owner
 * @param name of the declared type
 */
public record RRefType(FunctionKind kind, boolean module, String name) {
    private static final String MODULE = "module:"; // names of types contain no colon
    private static final int MAX_LENGTH = 1024; // kept with a value

    public RRefType(FunctionKind kind, String name) {
        this(kind, false, name);
    }

    /** Return the type of the results of a function. */
    public static RRefType madeBy(FunctionKind kind, RemoteFunction function) {
        return new RRefType(
                kind, function.declared().returnsModule(), function.schema().returnType());
    }

    String text() {
        return kind + ":" + (module ? MODULE : "") + name;
    }

    /**
     * Parse the text that a worker sent.
     *
     * @throws DecodingException if it is not a type, or too long
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
                "'%s' is not a type of a reference".formatted(UntrustedText.quote(text)));
    }
}
