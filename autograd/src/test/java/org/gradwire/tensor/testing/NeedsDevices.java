package org.gradwire.tensor.testing;

import org.junit.jupiter.api.condition.EnabledIf;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tests that run on the virtual devices, and again on CUDA's with the fake driver of {@code
 * device-cuda}, if that was built. The class has a method {@code devicesAreThere}, as the module
 * does not open this package.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "devicesAreThere",
        disabledReason =
                "the fake CUDA driver was not built: that needs Linux on x86-64, and g++ on the PATH")
public @interface NeedsDevices {
    /** The condition: there are devices. */
    final class Condition {
        private Condition() {}

        /** {@return whether there are some for this run} */
        public static boolean areThere() {
            String libraries = System.getProperty("gradwire.cuda.libraries");
            return libraries == null || Files.exists(Path.of(libraries, "libcublas.so.13"));
        }
    }
}
