/**
 * What those write against who extend Gradwire: backends that move messages, codecs of values,
 * interceptors of calls, handlers of messages of their own, libraries of operators.
 *
 * <p>Applications do not need this module; see {@code org.gradwire.api}. Services are provided in
 * {@code module-info}; the runtime looks them up.
 */
module org.gradwire.spi {
    requires transitive org.gradwire.api;
    requires static transitive org.jspecify;

    exports org.gradwire.spi;
}
