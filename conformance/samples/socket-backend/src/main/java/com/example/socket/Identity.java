package com.example.socket;

import org.gradwire.spi.Store;

import java.security.SecureRandom;

/**
 * The identity of an agent.
 *
 * @param id id of its worker, which a later worker may reuse
 * @param incarnation number of the holder of this id in this group; the greater is the newer
 * @param mark random number that no agent of another group or time has
 */
record Identity(int id, long incarnation, long mark) {

    static Identity take(int id, Store store) {
        long incarnation = store.add("socket/incarnation/" + id, 1);
        return new Identity(id, incarnation, new SecureRandom().nextLong());
    }
}
