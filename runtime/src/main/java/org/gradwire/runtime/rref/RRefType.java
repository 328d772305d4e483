package org.gradwire.runtime.rref;

import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.spi.DecodingException;

/**
 * What is known of a referenced value everywhere: by what kind of function it was made, which
 * decides how it is fetched, and the simple name of its type.
 *
 * @param kind of the function that made it; {@link FunctionKind#USER} for values given by programs
 * @param name of the declared type
 */
public record RRefType(FunctionKind kind, String name) {

    String text() {
        return kind + ":" + name;
    }

    static RRefType parse(String text) {
        int colon = text.indexOf(':');
        for (FunctionKind kind : FunctionKind.values()) {
            if (colon > 0 && kind.name().equals(text.substring(0, colon))) {
                return new RRefType(kind, text.substring(colon + 1));
            }
        }
        throw new DecodingException("'" + text + "' is no type of a reference");
    }
}
