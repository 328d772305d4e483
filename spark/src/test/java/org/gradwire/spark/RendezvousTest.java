package org.gradwire.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RendezvousTest {

    @Test
    void hostOfAnAddressIsWithoutItsPort() {
        assertEquals("h1.example.org", Rendezvous.host("h1.example.org:4040"));
        assertEquals("10.0.0.1", Rendezvous.host("10.0.0.1:65535"));
        assertEquals("[2001:db8::1]", Rendezvous.host("[2001:db8::1]:1"));
    }

    @Test
    void textReturnsAsTheSameRendezvous() {
        var rendezvous = new Rendezvous(20_001, Rendezvous.randomSecret());
        assertEquals(rendezvous, Rendezvous.parse(rendezvous.text()));
    }

    @Test
    void secretsAreRandomWordsAndAreNotPrinted() {
        String secret = Rendezvous.randomSecret();
        assertTrue(secret.matches("[\\w-]{43}"), "a word of 256 bits");
        assertNotEquals(secret, Rendezvous.randomSecret());
        assertFalse(new Rendezvous(1, secret).toString().contains(secret));
    }
}
