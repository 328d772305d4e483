package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of messages that are still arriving: one limit for all peers together, of which
 * a single peer may hold half. What lies on the heap has a limit of its own beside it, a quarter of
 * the heap.
 *
 * <p>Memory is charged when it is taken, not when it is announced, until the message is handed in.
 * Used by the loop; figures may be read on any thread.
 */
final class ReceiveBudget {
    private static final int HEAP_PART = 4;
    private static final int SHARES = 2;

    private final long limit;
    private final long heapLimit = Runtime.getRuntime().maxMemory() / HEAP_PART;
    private final AtomicLong total = new AtomicLong();
    private long totalOnHeap;

    /** Create a budget of so many bytes of all memory. */
    ReceiveBudget(long limit) {
        this.limit = limit;
    }

    /** The memory that one peer holds. */
    static final class Account {
        private long bytes;
        private long heapBytes;
    }

    /** The memory taken for one message. */
    final class Claim {
        private final Account account;
        private long bytes;
        private long heapBytes;

        private Claim(Account account) {
            this.account = account;
        }

        /**
         * Charge memory that is about to be taken.
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

        /** Give all of it back. */
        void release() {
            charge(-bytes, -heapBytes);
        }
    }

    private static void require(long ofPeer, long ofAll, long limit, long more, String what) {
        boolean isPeer = ofPeer > limit / SHARES;
        if (isPeer || ofAll > limit) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "%d bytes more of a message make %d of at most %d for %s; %s%s"
                            .formatted(
                                    more,
                                    isPeer ? ofPeer : ofAll,
                                    isPeer ? limit / SHARES : limit,
                                    isPeer ? "one peer" : "all peers",
                                    Keys.RECEIVE_BYTES,
                                    what));
        }
    }

    Claim claim(Account account) {
        return new Claim(account);
    }

    /** {@return bytes that all peers hold now} */
    long totalBytes() {
        return total.get();
    }
}
