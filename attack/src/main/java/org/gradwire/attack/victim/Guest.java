package org.gradwire.attack.victim;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;

import java.io.IOException;
import java.time.Duration;

/** A worker that calls the victim until the group refuses it, or its input has a line. */
public final class Guest {
    /** The prefix of the line with the reason of the refusal. */
    public static final String REFUSED = "refused ";

    /** A line of its input that lets it leave the group. */
    public static final String END = "end";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PERIOD = Duration.ofMillis(50);

    private Guest() {}

    /** Run the guest, with settings from the environment. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try {
            Rpc rpc = Rpc.init(RpcOptions.builder().dynamicGroup().build());
            rpc.rpcTimeout(TIMEOUT);
            var _ = rpc.rpcSync("victim", VictimFunctions::square, 1);
            System.out.println(Victim.READY);
            while (System.in.available() == 0) {
                var _ = rpc.rpcSync("victim", VictimFunctions::square, 1);
                Thread.sleep(PERIOD);
            }
            rpc.close();
        } catch (RpcException e) {
            System.out.println(REFUSED + String.valueOf(e.getMessage()).replaceAll("\\R", " "));
            System.out.flush();
        }
        Runtime.getRuntime().halt(0);
    }
}
