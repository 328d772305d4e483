package org.gradwire.attack.victim;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.io.IOException;

/** The worker that is attacked: it serves until its input ends. */
public final class Victim {
    /** Printed when the worker is a member of its group. */
    public static final String READY = "ready";

    private Victim() {}

    /** Take the settings from the environment. */
    public static void main(String[] args) throws IOException {
        try (Rpc _ = Rpc.init(RpcOptions.builder().dynamicGroup().build())) {
            System.out.println(READY);
            while (System.in.read() >= 0) {
                // serves on threads of its own
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
