/**
 * The command {@code gradwire}: starts a group of workers as JVMs of their own, shows what they
 * print, and ends them all when one of them fails.
 *
 * <p>Nothing is exported: {@code ./gradwire} starts {@link org.gradwire.launcher.Main}.
 */
module org.gradwire.launcher {
    requires info.picocli;
    requires static org.jspecify;

    // picocli fills the fields that carry its annotations.
    opens org.gradwire.launcher to
            info.picocli;
}
