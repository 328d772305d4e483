package org.gradwire.spi;

import java.util.List;
import java.util.Map;

/**
 * The numbers of the messages that workers send each other. Requests carry the flag 0x100, replies
 * 0x200.
 *
 * <p>The numbers are PyTorch's ({@code torch/csrc/distributed/rpc/message.h}); those from 0x180 on
 * are Gradwire's own. An extension chooses its numbers from 0x1c0 and 0x2c0 on.
 *
 * <p>0x1e0 to 0x1ff and 0x2e0 to 0x2ff are for headers that a receiver may do without: one that has
 * no interceptor for them passes over them. Of these an extension chooses up to 0x1ef and 0x2ef;
 * the others are Gradwire's own.
 */
public final class MessageTypes {
    /** Caller to callee: run a builtin operator or a script function. */
    public static final int SCRIPT_CALL = 0x100;

    /** Callee to caller: the result of {@link #SCRIPT_CALL}. */
    public static final int SCRIPT_RET = 0x201;

    /** Caller to callee: run a user function. */
    public static final int PYTHON_CALL = 0x102;

    /** Callee to caller: the result of {@link #PYTHON_CALL}. */
    public static final int PYTHON_RET = 0x203;

    /** User to owner: run a builtin operator or a script function and keep its result. */
    public static final int SCRIPT_REMOTE_CALL = 0x104;

    /** User to owner: run a user function and keep its result. */
    public static final int PYTHON_REMOTE_CALL = 0x105;

    /** Owner to user: the function of a remote call has ended. */
    public static final int REMOTE_RET = 0x206;

    /** User to owner: send the value that a builtin operator or script function made. */
    public static final int SCRIPT_RREF_FETCH_CALL = 0x107;

    /** User to owner: send the value that a user function made. */
    public static final int PYTHON_RREF_FETCH_CALL = 0x108;

    /** Owner to user: the value asked for with {@link #SCRIPT_RREF_FETCH_CALL}. */
    public static final int SCRIPT_RREF_FETCH_RET = 0x209;

    /** Owner to user: the value asked for with {@link #PYTHON_RREF_FETCH_CALL}. */
    public static final int PYTHON_RREF_FETCH_RET = 0x20a;

    /** User to owner: some references are gone. */
    public static final int RREF_USER_DELETE = 0x10b;

    /** User to owner: a reference has come here from another user. */
    public static final int RREF_FORK_REQUEST = 0x10c;

    /** Child user to parent user: the owner knows of the child. */
    public static final int RREF_CHILD_ACCEPT = 0x10d;

    /** Answer to each of the three before, and to {@link #RREF_SAVE_REQ}. */
    public static final int RREF_ACK = 0x20e;

    /** Wraps a request that was recorded by distributed autograd. */
    public static final int FORWARD_AUTOGRAD_REQ = 0x10f;

    /** Wraps a reply that was recorded by distributed autograd. */
    public static final int FORWARD_AUTOGRAD_RESP = 0x210;

    /** Receiver of a tensor to its sender: its gradients. */
    public static final int BACKWARD_AUTOGRAD_REQ = 0x111;

    /** Answer to {@link #BACKWARD_AUTOGRAD_REQ}. */
    public static final int BACKWARD_AUTOGRAD_RESP = 0x212;

    /** To every worker that took part: drop an autograd context. */
    public static final int CLEANUP_AUTOGRAD_CONTEXT_REQ = 0x113;

    /** Answer to {@link #CLEANUP_AUTOGRAD_CONTEXT_REQ}. */
    public static final int CLEANUP_AUTOGRAD_CONTEXT_RESP = 0x214;

    /** Wraps a request whose run is to be profiled. */
    public static final int RUN_WITH_PROFILING_REQ = 0x115;

    /** Wraps a reply that carries profiler events. */
    public static final int RUN_WITH_PROFILING_RESP = 0x216;

    /** User to owner: run a backward pass from the value of a reference. */
    public static final int RREF_BACKWARD_REQ = 0x117;

    /** Answer to {@link #RREF_BACKWARD_REQ}. */
    public static final int RREF_BACKWARD_RESP = 0x218;

    /** Follower to leader: a value of an all-gather. */
    public static final int GATHER_REQ = 0x180;

    /** Leader to follower: all values of an all-gather, or why there are none. */
    public static final int BROADCAST_REQ = 0x181;

    /** To all: the sender leaves the group and takes part in no further all-gather. */
    public static final int LEAVE_REQ = 0x183;

    /** Notice from a worker that joined a dynamic group, answered when its receiver knows it. */
    public static final int JOIN_REQ = 0x184;

    /** Notice that nobody waits for a call any more. */
    public static final int CANCEL_REQ = 0x185;

    /** Answer to {@link #CANCEL_REQ}. */
    public static final int CANCEL_ACK = 0x286;

    /** Asks how many calls wait in line here. */
    public static final int LINE_REQ = 0x189;

    /** Answer to {@link #LINE_REQ}. */
    public static final int LINE_ACK = 0x28a;

    /** User to owner: a reference was written into bytes. */
    public static final int RREF_SAVE_REQ = 0x190;

    /** User to owner: a reference has come here from such bytes. */
    public static final int RREF_LOAD_REQ = 0x191;

    /** Answer to {@link #RREF_LOAD_REQ}: whether the bytes still stood for the reference. */
    public static final int RREF_LOAD_RESP = 0x292;

    /** Caller to callee: which retried calls have ended, so that their answers may be dropped. */
    public static final int CALLS_ENDED_REQ = 0x187;

    /** Answer to {@link #CALLS_ENDED_REQ}. */
    public static final int CALLS_ENDED_ACK = 0x288;

    /** Sender of tensors on devices to their receiver: where they are to lie there. */
    public static final int DEVICES_REQ = 0x195;

    /** Answer to {@link #DEVICES_REQ}: the devices that there are. */
    public static final int DEVICES_RESP = 0x296;

    /** Receiver of tensors to their sender: a backward pass goes through them. */
    public static final int DISCOVER_AUTOGRAD_REQ = 0x193;

    /** Answer to {@link #DISCOVER_AUTOGRAD_REQ}: what lies behind was found too. */
    public static final int DISCOVER_AUTOGRAD_RESP = 0x294;

    /** To the creator of an autograd context, when those that brought it are lost. */
    public static final int AUTOGRAD_CONTEXT_OPEN_REQ = 0x197;

    /** Answer to {@link #AUTOGRAD_CONTEXT_OPEN_REQ}: whether the context is open. */
    public static final int AUTOGRAD_CONTEXT_OPEN_RESP = 0x298;

    /**
     * Answer to {@link #GATHER_REQ}, {@link #BROADCAST_REQ}, {@link #LEAVE_REQ} and {@link
     * #JOIN_REQ}.
     */
    public static final int GATHER_ACK = 0x282;

    /** Wraps a request that carries the caller's trace context. A receiver may pass over it. */
    public static final int TRACE_CONTEXT_REQ = 0x1f0;

    /** The counterpart of {@link #TRACE_CONTEXT_REQ}, which nobody sends yet. */
    public static final int TRACE_CONTEXT_RESP = 0x2f0;

    /** Answer to any request that failed. */
    public static final int EXCEPTION = 0x237;

    private static final int REQUEST_FLAG = 0x100;
    private static final int REPLY_FLAG = 0x200;
    private static final int OPTIONAL_HEADERS = 0xe0;
    private static final int OPTIONAL_HEADERS_MASK = ~(REQUEST_FLAG | REPLY_FLAG | 0x1f);

    private static final Map<Integer, String> NAMES =
            Map.ofEntries(
                    Map.entry(SCRIPT_CALL, "SCRIPT_CALL"),
                    Map.entry(DEVICES_REQ, "DEVICES_REQ"),
                    Map.entry(DEVICES_RESP, "DEVICES_RESP"),
                    Map.entry(SCRIPT_RET, "SCRIPT_RET"),
                    Map.entry(PYTHON_CALL, "PYTHON_CALL"),
                    Map.entry(PYTHON_RET, "PYTHON_RET"),
                    Map.entry(SCRIPT_REMOTE_CALL, "SCRIPT_REMOTE_CALL"),
                    Map.entry(PYTHON_REMOTE_CALL, "PYTHON_REMOTE_CALL"),
                    Map.entry(REMOTE_RET, "REMOTE_RET"),
                    Map.entry(SCRIPT_RREF_FETCH_CALL, "SCRIPT_RREF_FETCH_CALL"),
                    Map.entry(PYTHON_RREF_FETCH_CALL, "PYTHON_RREF_FETCH_CALL"),
                    Map.entry(SCRIPT_RREF_FETCH_RET, "SCRIPT_RREF_FETCH_RET"),
                    Map.entry(PYTHON_RREF_FETCH_RET, "PYTHON_RREF_FETCH_RET"),
                    Map.entry(RREF_USER_DELETE, "RREF_USER_DELETE"),
                    Map.entry(RREF_FORK_REQUEST, "RREF_FORK_REQUEST"),
                    Map.entry(RREF_CHILD_ACCEPT, "RREF_CHILD_ACCEPT"),
                    Map.entry(RREF_ACK, "RREF_ACK"),
                    Map.entry(FORWARD_AUTOGRAD_REQ, "FORWARD_AUTOGRAD_REQ"),
                    Map.entry(FORWARD_AUTOGRAD_RESP, "FORWARD_AUTOGRAD_RESP"),
                    Map.entry(BACKWARD_AUTOGRAD_REQ, "BACKWARD_AUTOGRAD_REQ"),
                    Map.entry(BACKWARD_AUTOGRAD_RESP, "BACKWARD_AUTOGRAD_RESP"),
                    Map.entry(CLEANUP_AUTOGRAD_CONTEXT_REQ, "CLEANUP_AUTOGRAD_CONTEXT_REQ"),
                    Map.entry(CLEANUP_AUTOGRAD_CONTEXT_RESP, "CLEANUP_AUTOGRAD_CONTEXT_RESP"),
                    Map.entry(RUN_WITH_PROFILING_REQ, "RUN_WITH_PROFILING_REQ"),
                    Map.entry(RUN_WITH_PROFILING_RESP, "RUN_WITH_PROFILING_RESP"),
                    Map.entry(RREF_BACKWARD_REQ, "RREF_BACKWARD_REQ"),
                    Map.entry(RREF_BACKWARD_RESP, "RREF_BACKWARD_RESP"),
                    Map.entry(GATHER_REQ, "GATHER_REQ"),
                    Map.entry(BROADCAST_REQ, "BROADCAST_REQ"),
                    Map.entry(LEAVE_REQ, "LEAVE_REQ"),
                    Map.entry(JOIN_REQ, "JOIN_REQ"),
                    Map.entry(CANCEL_REQ, "CANCEL_REQ"),
                    Map.entry(CANCEL_ACK, "CANCEL_ACK"),
                    Map.entry(LINE_REQ, "LINE_REQ"),
                    Map.entry(LINE_ACK, "LINE_ACK"),
                    Map.entry(RREF_SAVE_REQ, "RREF_SAVE_REQ"),
                    Map.entry(RREF_LOAD_REQ, "RREF_LOAD_REQ"),
                    Map.entry(RREF_LOAD_RESP, "RREF_LOAD_RESP"),
                    Map.entry(CALLS_ENDED_REQ, "CALLS_ENDED_REQ"),
                    Map.entry(CALLS_ENDED_ACK, "CALLS_ENDED_ACK"),
                    Map.entry(DISCOVER_AUTOGRAD_REQ, "DISCOVER_AUTOGRAD_REQ"),
                    Map.entry(DISCOVER_AUTOGRAD_RESP, "DISCOVER_AUTOGRAD_RESP"),
                    Map.entry(AUTOGRAD_CONTEXT_OPEN_REQ, "AUTOGRAD_CONTEXT_OPEN_REQ"),
                    Map.entry(AUTOGRAD_CONTEXT_OPEN_RESP, "AUTOGRAD_CONTEXT_OPEN_RESP"),
                    Map.entry(GATHER_ACK, "GATHER_ACK"),
                    Map.entry(TRACE_CONTEXT_REQ, "TRACE_CONTEXT_REQ"),
                    Map.entry(TRACE_CONTEXT_RESP, "TRACE_CONTEXT_RESP"),
                    Map.entry(EXCEPTION, "EXCEPTION"));

    private MessageTypes() {}

    /** {@return the numbers of all requests but those of extensions, ascending} */
    public static List<Integer> requests() {
        return NAMES.keySet().stream().filter(MessageTypes::isRequest).sorted().toList();
    }

    /** {@return whether the number is a request's} */
    public static boolean isRequest(int type) {
        return (type & REQUEST_FLAG) != 0 && (type & REPLY_FLAG) == 0;
    }

    /** {@return whether the number is a reply's} */
    public static boolean isReply(int type) {
        return (type & REPLY_FLAG) != 0 && (type & REQUEST_FLAG) == 0;
    }

    /** {@return whether the number is that of a header which a receiver may pass over} */
    public static boolean isOptionalHeader(int type) {
        return (isRequest(type) || isReply(type))
                && (type & OPTIONAL_HEADERS_MASK) == OPTIONAL_HEADERS;
    }

    /** {@return the name of a type, or its number in hexadecimal when it is an extension's} */
    public static String name(int type) {
        return NAMES.getOrDefault(type, "0x" + Integer.toHexString(type));
    }
}
