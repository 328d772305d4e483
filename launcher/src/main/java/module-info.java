/**
 * The command {@code gradwire}: starts a group of workers, each in its own JVM, shows their output,
 * and ends them all when one fails.
 *
 * <p>Nothing is exported: {@code ./gradwire} starts {@link org.gradwire.launcher.Main}.
 */
module org.gradwire.launcher {
    requires info.picocli;
    requires org.gradwire.spi;
    requires static org.jspecify;

    // picocli fills the fields that carry its annotations.
    opens org.gradwire.launcher to
            info.picocli;
}
