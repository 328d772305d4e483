/**
 * Attacks running workers and measures their resilience: {@code ./gradwire attack}. Exports the
 * functions that one worker calls on the other.
 *
 * @provides org.gradwire.spi.BackendProvider
 * @uses org.gradwire.spi.BackendProvider
 */
@SuppressWarnings("requires-automatic") // Aeron and Agrona publish no module descriptors
module org.gradwire.attack {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.autograd;
    requires org.gradwire.spi;
    requires static transitive org.jspecify;
    requires io.aeron.client;
    requires org.agrona;

    exports org.gradwire.attack.victim;

    uses org.gradwire.spi.BackendProvider;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.attack.intruder.TapBackend;
}
