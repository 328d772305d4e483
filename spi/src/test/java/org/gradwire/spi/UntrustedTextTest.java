package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The escapes of untrusted text. */
class UntrustedTextTest {

    @ParameterizedTest
    @CsvSource(
            value = {
                "''|''",
                "worker 1|worker 1",
                "Straße, \uD83D\uDE00, 数|Straße, \uD83D\uDE00, 数"
            },
            delimiter = '|')
    void visibleTextStays(String text, String expected) {
        assertEquals(expected, UntrustedText.quote(text));
    }

    @Test
    void invisibleCharactersAreEscaped() {
        assertEquals(
                "a\\u000aSEVERE: b\\u000d\\u0009\\u0000\\u007f\\u0085",
                UntrustedText.quote("a\nSEVERE: b\r\t\0\u007f\u0085"));
        assertEquals("\\u001b[31mred", UntrustedText.quote("\u001b[31mred"));
        assertEquals(
                "\\u2028\\u2029\\u202e\\u200b\\ufeff",
                UntrustedText.quote("\u2028\u2029\u202e\u200b\ufeff"));
        assertEquals(
                "\\ud800x\\udc00 \\udb40\\udc01",
                UntrustedText.quote("\ud800x\udc00 \udb40\udc01"));
    }

    @Test
    void aBackslashDoesNotLookLikeAnEscape() {
        assertEquals("\\\\u000a", UntrustedText.quote("\\u000a"));
    }

    @Test
    void aLongTextIsCutBetweenEscapes() {
        assertEquals("x".repeat(200), UntrustedText.quote("x".repeat(200)));
        assertEquals(
                "x".repeat(200) + "... (201 characters)", UntrustedText.quote("x".repeat(201)));
        assertEquals(
                "\\u0007".repeat(33) + "... (100000 characters)",
                UntrustedText.quote("\u0007".repeat(100_000)));
        String smileys = UntrustedText.quote("x" + "\uD83D\uDE00".repeat(200));
        assertTrue(smileys.startsWith("x" + "\uD83D\uDE00".repeat(99) + "..."), smileys);
    }
}
