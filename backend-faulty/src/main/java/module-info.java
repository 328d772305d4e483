/**
 * A backend that wraps another one and injects faults, to test the fault tolerance of programs.
 * Nothing is exported: choose it with {@code gradwire.backend=faulty}.
 *
 * @provides org.gradwire.spi.BackendProvider
 * @uses org.gradwire.spi.BackendProvider
 */
module org.gradwire.backend.faulty {
    requires org.gradwire.spi;
    requires static org.jspecify;

    uses org.gradwire.spi.BackendProvider;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.backend.faulty.FaultyBackend;
}
