package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of arriving messages: one limit for all peers together, of which a single peer
 * may hold half. Memory in the heap has a second limit, a quarter of the heap.
 *
 * <p>Memory is charged when it is allocated, not when it is announced, until the message is
 * delivered. Confined to the loop, except {@link #totalBytes}.
 */
final class ReceiveBudget {
    private static final int HEAP_PART = 4;
    private static final int SHARES = 2;

    private final long limit;
    private final long heapLimit = Runtime.getRuntime().maxMemory() / HEAP_PART;
    private final AtomicLong total = new AtomicLong();
    private long totalOnHeap;

    /** Create a budget with a limit in bytes of all memory. */
    ReceiveBudget(long limit) {
        this.limit = limit;
    }

    /** Memory that one peer holds. */
    static final class Account {
        private long bytes;
        private long heapBytes;
    }

    /** Memory charged for one message. */
    final class Claim {
        private final Account account;
        private long bytes;
        private long heapBytes;

        private Claim(Account account) {
            this.account = account;
        }

        /**
         * Charge memory before it is allocated.
         *
         * @throws RpcException of kind REFUSED when it exceeds a limit; then nothing is charged
         */
        void add(long more, boolean isOnHeap) {
            require(account.bytes + more, total.get() + more, limit, more, "");
            if (isOnHeap) {
                require(
                        account.heapBytes + more,
                        totalOnHeap + more,
                        heapLimit,
                        more,
                        " of heap; give this worker more (-Xmx)");
                charge(0, more);
            }
            charge(more, 0);
        }

        private void charge(long more, long moreOnHeap) {
            bytes += more;
            account.bytes += more;
            total.addAndGet(more);
            heapBytes += moreOnHeap;
            account.heapBytes += moreOnHeap;
            totalOnHeap += moreOnHeap;
        }

        /** Release all memory of the message. */
        void release() {
            charge(-bytes, -heapBytes);
        }
    }

    private static void require(long ofPeer, long ofAll, long limit, long more, String advice) {
        boolean isPeer = ofPeer > limit / SHARES;
        if (isPeer || ofAll > limit) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "a message needs %d more bytes, which would be %d for a limit of %d for %s; %s%s"
                            .formatted(
                                    more,
                                    isPeer ? ofPeer : ofAll,
                                    isPeer ? limit / SHARES : limit,
                                    isPeer ? "one peer" : "all peers",
                                    SettingKeys.RECEIVE_BYTES,
                                    advice));
        }
    }

    Claim claim(Account account) {
        return new Claim(account);
    }

    /** {@return bytes that all peers hold now. Thread-safe} */
    long totalBytes() {
        return total.get();
    }
}
