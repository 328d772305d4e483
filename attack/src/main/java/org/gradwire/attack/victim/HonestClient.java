package org.gradwire.attack.victim;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker that calls the victim every 20 ms and checks each result. For each line of its input it
 * prints a {@link HonestClientReport} since the last one.
 */
public final class HonestClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long PERIOD_NANOS = 20_000_000;

    private final Rpc rpc;
    private final RRef<Tensor> value;
    private final CallLog log = new CallLog();
    private int turn;

    private HonestClient(Rpc rpc) {
        this.rpc = rpc;
        value = rpc.remote("victim", VictimFunctions::scale, Tensor.ones(4, 4), 2.0);
    }

    /** Run the client, with settings from the environment. */
    public static void main(String[] args) throws IOException {
        try (Rpc rpc = Rpc.init(RpcOptions.builder().dynamicGroup().build())) {
            rpc.rpcTimeout(TIMEOUT);
            var honestClient = new HonestClient(rpc);
            honestClient.call();
            Thread.ofPlatform().daemon().start(honestClient::callForEver);
            System.out.println(Victim.READY);
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                System.out.println(honestClient.log.report());
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private void callForEver() {
        while (true) {
            long begun = System.nanoTime();
            try {
                call();
                log.answered(System.nanoTime() - begun);
            } catch (RuntimeException e) {
                log.failed(e);
            }
            LockSupport.parkNanos(PERIOD_NANOS - (System.nanoTime() - begun));
        }
    }

    /** Make a small call; one in ten uses a reference or a tensor. */
    private void call() {
        int number = turn++;
        switch (number % 20) {
            case 0 -> expect(32, rpc.rpcSync("victim", VictimFunctions::sum, value));
            case 10 -> expect(32, value.toHere(TIMEOUT).sum().item());
            default -> {
                int square = rpc.rpcSync("victim", VictimFunctions::square, number % 1000);
                expect((number % 1000) * (number % 1000), square);
            }
        }
    }

    private static void expect(double expected, double actual) {
        if (expected != actual) {
            throw new IllegalStateException("wrong answer %s, not %s".formatted(actual, expected));
        }
    }
}
