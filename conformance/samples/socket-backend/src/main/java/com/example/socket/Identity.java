package com.example.socket;

import org.gradwire.spi.Store;

import java.security.SecureRandom;

/**
 * Who an agent is.
 *
 * @param id of its worker, which a later worker may have again
 * @param incarnation counts those who had the id in this group: of two, the greater is the newer
 * @param mark random, so that no agent of another group or time has the same
 */
record Identity(int id, long incarnation, long mark) {

    static Identity take(int id, Store store) {
        long incarnation = store.add("socket/incarnation/" + id, 1);
        return new Identity(id, incarnation, new SecureRandom().nextLong());
    }
}
