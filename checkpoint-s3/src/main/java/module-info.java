/**
 * Checkpoints in object stores that speak the protocol of Amazon S3.
 *
 * <p>Nothing is exported: {@link org.gradwire.checkpoint.CheckpointStorage#of} finds it by the
 * scheme {@code s3}. It uses the HTTP client of the JDK. {@code docs/design/checkpoints.md} has the
 * reasons.
 *
 * @provides org.gradwire.checkpoint.CheckpointStorageProvider
 * @provides org.gradwire.spi.RpcExtensionProvider
 */
@SuppressWarnings("module") // its name ends in a digit, as that of the protocol does
module org.gradwire.checkpoint.s3 {
    requires org.gradwire.checkpoint;
    requires java.net.http;
    requires java.xml;

    provides org.gradwire.checkpoint.CheckpointStorageProvider with
            org.gradwire.checkpoint.s3.S3Provider;
    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.checkpoint.s3.S3Provider;
}
