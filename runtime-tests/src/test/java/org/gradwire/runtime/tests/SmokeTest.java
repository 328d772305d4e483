package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;

class SmokeTest {
    @Test
    void adds() {
        try (Rpc rpc =
                Rpc.init(
                        RpcOptions.builder("w0")
                                .rank(0)
                                .worldSize(1)
                                .backend("inproc")
                                .rendezvous("inproc://smoke")
                                .build())) {
            assertEquals(3, rpc.rpcSync("w0", Numbers::add, 1, 2));
        }
    }
}
