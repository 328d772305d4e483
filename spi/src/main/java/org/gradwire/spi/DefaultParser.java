package org.gradwire.spi;

/** Reads the {@link org.gradwire.rpc.Default} of parameters of one type. Provided as a service. */
public interface DefaultParser {

    /** {@return the type of the parameters} */
    Class<?> type();

    /**
     * Read a default.
     *
     * @throws IllegalArgumentException when the text makes no sense; the message says what does
     */
    Object parse(String text);
}
