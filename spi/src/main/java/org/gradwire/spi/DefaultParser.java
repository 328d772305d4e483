package org.gradwire.spi;

/**
 * Parses {@link org.gradwire.rpc.Default} texts of parameters of one type. Provided as a service.
 */
public interface DefaultParser {

    /** {@return the type of the parameters} */
    Class<?> type();

    /**
     * Parse a default.
     *
     * @throws IllegalArgumentException if the text is invalid; the message names the valid form
     */
    Object parse(String text);
}
