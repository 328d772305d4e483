package org.gradwire.checkpoint.tests.functions;

import org.gradwire.checkpoint.Stateful;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;

import java.util.Map;
import java.util.Objects;

/** The amounts that a worker has paid to others, and received from them, by rank. */
public final class Ledger implements Stateful {
    private final long[] paid;
    private final long[] received;

    public Ledger(int workers) {
        paid = new long[workers];
        received = new long[workers];
    }

    /** {@return the ledger of a worker} */
    public static Ledger of(Rpc rpc) {
        return rpc.locals().get(Ledger.class, () -> new Ledger(rpc.workers().size()));
    }

    /** Enter an amount that another worker pays to this one; {@return the sum of its amounts} */
    @RemoteCallable
    public static long receive(int from, long amount) {
        Ledger own = of(Rpc.current());
        synchronized (own) {
            own.received[from] += amount;
            return own.received[from];
        }
    }

    /** Pay an amount to another worker; {@return the call} */
    public synchronized RpcFuture<Long> pay(Rpc rpc, int to, long amount) {
        paid[to] += amount;
        return rpc.rpcAsync("worker" + to, Ledger::receive, rpc.self().id(), amount);
    }

    /** {@return the amount that this worker has paid to another} */
    public synchronized long paid(int to) {
        return paid[to];
    }

    /** {@return the amount that this worker has received from another} */
    public synchronized long received(int from) {
        return received[from];
    }

    @Override
    public synchronized Map<String, Tensor> stateDict() {
        return Map.of("paid", Tensor.of(paid), "received", Tensor.of(received));
    }

    @Override
    public synchronized void loadStateDict(Map<String, Tensor> state) {
        copy(state, "paid", paid);
        copy(state, "received", received);
    }

    private static void copy(Map<String, Tensor> state, String name, long[] to) {
        long[] from = Objects.requireNonNull(state.get(name)).toLongArray();
        System.arraycopy(from, 0, to, 0, to.length);
    }
}
