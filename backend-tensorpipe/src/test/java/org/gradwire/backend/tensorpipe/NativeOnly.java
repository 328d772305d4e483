package org.gradwire.backend.tensorpipe;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test of what {@code gradwire.os.native=off} leaves out. The portable forms are proved by all
 * others, which run a second time with the switch off.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@DisabledIfEnvironmentVariable(
        named = "GRADWIRE_OS_NATIVE",
        matches = "off",
        disabledReason = "about what is left out with gradwire.os.native=off")
@interface NativeOnly {
    /** {@return what the test needs of the system} */
    String value();
}
