/**
 * The backend {@code tensorpipe}: moves messages between processes over Aeron, through shared
 * memory on one host and over UDP between hosts.
 *
 * <p>Nothing is exported: the runtime finds it as a {@link org.gradwire.spi.BackendProvider}. Its
 * JVM needs the flags of {@code jvm.args}; {@link org.gradwire.spi.BackendProvider#obstacle} names
 * a missing one. {@code docs/PROTOCOL.md} describes its frames.
 */
@SuppressWarnings("requires-automatic") // Aeron and Agrona publish no module descriptors
module org.gradwire.backend.tensorpipe {
    requires org.gradwire.spi;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires org.agrona;

    provides org.gradwire.spi.BackendProvider with
            org.gradwire.backend.tensorpipe.TensorPipeProvider;
}
