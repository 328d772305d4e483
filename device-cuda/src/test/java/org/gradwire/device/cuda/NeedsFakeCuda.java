package org.gradwire.device.cuda;

import org.junit.jupiter.api.condition.EnabledIf;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Tests that run on the fake driver, which needs Linux on x86-64 and g++. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
        value = "org.gradwire.device.cuda.FakeCuda#isBuilt",
        disabledReason =
                "the fake CUDA driver was not built: that needs Linux on x86-64, and g++ on the PATH")
@interface NeedsFakeCuda {}
