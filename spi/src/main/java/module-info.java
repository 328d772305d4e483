/**
 * The extension points of Gradwire: backends, codecs of values, interceptors of calls, handlers of
 * an extension's own messages, and libraries of operators. And what the runtime and the launcher
 * share: certificates, and the variables of schedulers.
 *
 * <p>Applications do not need this module; see {@code org.gradwire.api}. Services are provided in
 * {@code module-info}; the runtime looks them up.
 */
module org.gradwire.spi {
    requires transitive org.gradwire.api;
    requires static transitive org.jspecify;

    exports org.gradwire.spi;
    exports org.gradwire.spi.crypto;
    exports org.gradwire.spi.device;
    exports org.gradwire.spi.process;
    exports org.gradwire.spi.scheduler;
    exports org.gradwire.spi.store;
}
