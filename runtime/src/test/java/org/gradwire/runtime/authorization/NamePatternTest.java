package org.gradwire.runtime.authorization;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/** Patterns of names with stars. */
class NamePatternTest {
    @ParameterizedTest
    @CsvSource({
        "trainer0, trainer0",
        "trainer*, trainer",
        "trainer*, trainer12",
        "*, ''",
        "*, any",
        "'', ''",
        "*.ping, org.x.Health.ping",
        "org.*.ping, org.x.Health.ping",
        "a*b*c, aXbYbZc",
        "**, x",
        "aten::*, aten::add.Tensor",
        "*a, aaa",
    })
    void matches(String pattern, String name) {
        assertTrue(new NamePattern(pattern).matches(name));
    }

    @ParameterizedTest
    @CsvSource({
        "trainer0, trainer00",
        "trainer0, trainer",
        "trainer*, xtrainer0",
        "*.ping, org.x.Health.pings",
        "org.x.Embedding.*, org.x.EmbeddingX.get",
        "org.x.Embedding.*, orgAxAEmbedding.get",
        "a*b*c, acb",
        "'', x",
        "Trainer*, trainer0",
    })
    void doesNotMatch(String pattern, String name) {
        assertFalse(new NamePattern(pattern).matches(name));
    }

    @Test
    void manyStarsAreMatchedInAShortTime() {
        var pattern = new NamePattern("*a".repeat(1_000) + "b");
        String name = "a".repeat(10_000);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertFalse(pattern.matches(name)));
    }
}
