package com.example.socket;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The address and identity of an agent, as published in the store. */
record Address(String host, int port, Identity identity) {

    void writeTo(Store store) {
        String text = "%s %d %d %d".formatted(host, port, identity.incarnation(), identity.mark());
        store.set(key(identity.id()), text.getBytes(StandardCharsets.UTF_8));
    }

    /** Read the address of a member, waiting until it is published. */
    static Address of(int id, Store store, Duration timeout) {
        String text = new String(store.get(key(id), timeout), StandardCharsets.UTF_8);
        String[] parts = text.split(" ");
        try {
            var identity = new Identity(id, Long.parseLong(parts[2]), Long.parseLong(parts[3]));
            var address = new Address(parts[0], Integer.parseInt(parts[1]), identity);
            address.resolve(); // rejects an invalid port
            return address;
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new DecodingException(
                    "the address of worker %d in the store is '%s', not 'host port incarnation mark'"
                            .formatted(id, text),
                    e);
        }
    }

    private static String key(int id) {
        return "socket/address/" + id;
    }

    InetSocketAddress resolve() {
        return new InetSocketAddress(host, port);
    }
}
