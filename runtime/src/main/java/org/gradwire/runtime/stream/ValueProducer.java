package org.gradwire.runtime.stream;

/** Makes the values of a stream. */
interface ValueProducer {

    /** Begin, without a value yet; called once. */
    default void start() {}

    /** Make further values, or fewer at the end. Does not wait. */
    void request(long values);

    /** Release its resources; it makes no further value. Further calls do nothing. */
    void close();
}
