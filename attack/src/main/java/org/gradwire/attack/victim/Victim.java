package org.gradwire.attack.victim;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.io.IOException;

/** The attacked worker: serves until its input ends. */
public final class Victim {
    /** The line printed when the worker has joined its group. */
    public static final String READY = "ready";

    private Victim() {}

    /** Run the victim, with settings from the environment. */
    public static void main(String[] args) throws IOException {
        try (Rpc _ = Rpc.init(RpcOptions.builder().dynamicGroup().build())) {
            System.out.println(READY);
            while (System.in.read() >= 0) {
                // the worker serves on its own threads
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
