package org.gradwire.backend.tensorpipe;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test of a native form, which {@code gradwire.os.native=off} disables. All other tests
 * also run with the switch off, for the portable forms.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@DisabledIfEnvironmentVariable(
        named = "GRADWIRE_OS_NATIVE",
        matches = "off",
        disabledReason = "tests a native form, which gradwire.os.native=off disables")
public @interface NativeOnly {
    /** {@return the required feature of the system} */
    String value();
}
