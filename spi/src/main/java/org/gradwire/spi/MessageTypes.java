package org.gradwire.spi;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The types of the messages between workers. Requests have the flag 0x100, replies 0x200. The name
 * of a type is the name of its constant.
 *
 * <p>The numbers are PyTorch's ({@code torch/csrc/distributed/rpc/message.h}), and so are the
 * names, except that PyTorch says {@code PYTHON} for {@code UDF}; numbers from 0x180 on are
 * Gradwire's own. An extension chooses its numbers from 0x1c0 and 0x2c0 on.
 *
 * <p>0x1e0 to 0x1ff and 0x2e0 to 0x2ff are for optional headers: a receiver without an interceptor
 * for them skips them. Extensions choose from these up to 0x1ef and 0x2ef; the others are
 * Gradwire's own.
 */
public final class MessageTypes {
    /** Caller to callee: run a builtin operator or a script function. */
    public static final int SCRIPT_CALL = 0x100;

    /** Callee to caller: the result of {@link #SCRIPT_CALL}. */
    public static final int SCRIPT_RET = 0x201;

    /** Caller to callee: run a user function. */
    public static final int UDF_CALL = 0x102;

    /** Callee to caller: the result of {@link #UDF_CALL}. */
    public static final int UDF_RET = 0x203;

    /** User to owner: run a builtin operator or a script function and keep its result. */
    public static final int SCRIPT_REMOTE_CALL = 0x104;

    /** User to owner: run a user function and keep its result. */
    public static final int UDF_REMOTE_CALL = 0x105;

    /** Owner to user: the function of a remote call has ended. */
    public static final int REMOTE_RET = 0x206;

    /** User to owner: send the value made by a builtin operator or script function. */
    public static final int SCRIPT_RREF_FETCH_CALL = 0x107;

    /** User to owner: send the value made by a user function. */
    public static final int UDF_RREF_FETCH_CALL = 0x108;

    /** Owner to user: the value requested by {@link #SCRIPT_RREF_FETCH_CALL}. */
    public static final int SCRIPT_RREF_FETCH_RET = 0x209;

    /** Owner to user: the value requested by {@link #UDF_RREF_FETCH_CALL}. */
    public static final int UDF_RREF_FETCH_RET = 0x20a;

    /** User to owner: references were deleted. */
    public static final int RREF_USER_DELETE = 0x10b;

    /** User to owner: a reference has arrived from another user. */
    public static final int RREF_FORK_REQUEST = 0x10c;

    /** Child user to parent user: the owner knows of the child. */
    public static final int RREF_CHILD_ACCEPT = 0x10d;

    /**
     * Reply to {@link #RREF_USER_DELETE}, {@link #RREF_FORK_REQUEST}, {@link #RREF_CHILD_ACCEPT}
     * and {@link #RREF_SAVE_REQ}.
     */
    public static final int RREF_ACK = 0x20e;

    /** Wraps a request that was recorded by distributed autograd. */
    public static final int FORWARD_AUTOGRAD_REQ = 0x10f;

    /** Wraps a reply that was recorded by distributed autograd. */
    public static final int FORWARD_AUTOGRAD_RESP = 0x210;

    /** Receiver of a tensor to its sender: its gradients. */
    public static final int BACKWARD_AUTOGRAD_REQ = 0x111;

    /** Reply to {@link #BACKWARD_AUTOGRAD_REQ}. */
    public static final int BACKWARD_AUTOGRAD_RESP = 0x212;

    /** To every participant of an autograd context: drop it. */
    public static final int CLEANUP_AUTOGRAD_CONTEXT_REQ = 0x113;

    /** Reply to {@link #CLEANUP_AUTOGRAD_CONTEXT_REQ}. */
    public static final int CLEANUP_AUTOGRAD_CONTEXT_RESP = 0x214;

    /** Wraps a request whose callee profiles the run. */
    public static final int RUN_WITH_PROFILING_REQ = 0x115;

    /** Wraps a reply that carries profiler events. */
    public static final int RUN_WITH_PROFILING_RESP = 0x216;

    /** User to owner: run a backward pass from the value of a reference. */
    public static final int RREF_BACKWARD_REQ = 0x117;

    /** Reply to {@link #RREF_BACKWARD_REQ}. */
    public static final int RREF_BACKWARD_RESP = 0x218;

    /** Follower to leader: a value of an all-gather. */
    public static final int GATHER_REQ = 0x180;

    /** Leader to follower: all values of an all-gather, or its failure. */
    public static final int BROADCAST_REQ = 0x181;

    /** To all: the sender leaves the group and takes part in no further all-gather. */
    public static final int LEAVE_REQ = 0x183;

    /**
     * To all: the sender has joined a dynamic group; replied to when the receiver knows the sender.
     */
    public static final int JOIN_REQ = 0x184;

    /** Caller to callee: a call is cancelled. */
    public static final int CANCEL_REQ = 0x185;

    /** Reply to {@link #CANCEL_REQ}. */
    public static final int CANCEL_ACK = 0x286;

    /** Caller to callee: send the number of queued calls. */
    public static final int QUEUE_DEPTH_REQ = 0x189;

    /** Reply to {@link #QUEUE_DEPTH_REQ}: the number of queued calls. */
    public static final int QUEUE_DEPTH_ACK = 0x28a;

    /** User to owner: a reference was written into bytes. */
    public static final int RREF_SAVE_REQ = 0x190;

    /** User to owner: a reference was read from such bytes. */
    public static final int RREF_LOAD_REQ = 0x191;

    /** Reply to {@link #RREF_LOAD_REQ}: whether the bytes were still valid. */
    public static final int RREF_LOAD_RESP = 0x292;

    /**
     * Caller to callee: the retried calls that have ended, so that their cached replies may be
     * dropped.
     */
    public static final int CALLS_ENDED_REQ = 0x187;

    /** Reply to {@link #CALLS_ENDED_REQ}. */
    public static final int CALLS_ENDED_ACK = 0x288;

    /** Sender of tensors on devices to their receiver: the devices to place them on. */
    public static final int DEVICES_REQ = 0x195;

    /** Receiver of a tensor to its sender: the memory of the sender's device was copied. */
    public static final int DEVICE_COPIED_REQ = 0x199;

    /** Reply to {@link #DEVICE_COPIED_REQ}. */
    public static final int DEVICE_COPIED_ACK = 0x29a;

    /** Reply to {@link #DEVICES_REQ}: the receiver's devices. */
    public static final int DEVICES_RESP = 0x296;

    /** Receiver of tensors to their sender: a backward pass goes through them. */
    public static final int DISCOVER_AUTOGRAD_REQ = 0x193;

    /**
     * Reply to {@link #DISCOVER_AUTOGRAD_REQ}: the workers further up the graph were discovered
     * too.
     */
    public static final int DISCOVER_AUTOGRAD_RESP = 0x294;

    /**
     * Asks the creator of an autograd context whether it is still open, after the worker that
     * introduced it was lost.
     */
    public static final int AUTOGRAD_CONTEXT_OPEN_REQ = 0x197;

    /** Reply to {@link #AUTOGRAD_CONTEXT_OPEN_REQ}: whether the context is open. */
    public static final int AUTOGRAD_CONTEXT_OPEN_RESP = 0x298;

    /** Member of a process group to another: a part of a collective operation. */
    public static final int COLLECTIVE_REQ = 0x19b;

    /** Member of a process group to the others: the group is broken, or closed by the sender. */
    public static final int COLLECTIVE_END_REQ = 0x19d;

    /**
     * Reply to {@link #COLLECTIVE_REQ}, when the receiver has begun the operation or will not, and
     * to {@link #COLLECTIVE_END_REQ}.
     */
    public static final int COLLECTIVE_ACK = 0x29c;

    /**
     * Reply to {@link #GATHER_REQ}, {@link #BROADCAST_REQ}, {@link #LEAVE_REQ} and {@link
     * #JOIN_REQ}.
     */
    public static final int GATHER_ACK = 0x282;

    /** Wraps a request that carries the caller's trace context. A receiver may skip it. */
    public static final int TRACE_CONTEXT_REQ = 0x1f0;

    /** The counterpart of {@link #TRACE_CONTEXT_REQ}, which is not sent yet. */
    public static final int TRACE_CONTEXT_RESP = 0x2f0;

    /** Reply to any request that failed. */
    public static final int EXCEPTION = 0x237;

    private static final int REQUEST_FLAG = 0x100;
    private static final int REPLY_FLAG = 0x200;
    private static final int OPTIONAL_HEADERS = 0xe0;
    private static final int OPTIONAL_HEADERS_MASK = ~(REQUEST_FLAG | REPLY_FLAG | 0x1f);

    private static final Map<Integer, String> NAMES = names();

    private MessageTypes() {}

    /** {@return the names of the types: the names of the constants above} */
    private static Map<Integer, String> names() {
        Map<Integer, String> names = new HashMap<>();
        for (Field type : MessageTypes.class.getFields()) {
            try {
                names.put(type.getInt(null), type.getName());
            } catch (IllegalAccessException e) {
                throw new LinkageError("the public constant " + type, e);
            }
        }
        return Map.copyOf(names);
    }

    /** {@return the requests, without those of extensions, ascending} */
    public static List<Integer> requests() {
        return NAMES.keySet().stream().filter(MessageTypes::isRequest).sorted().toList();
    }

    /** {@return the replies except those of extensions, ascending} */
    public static List<Integer> replies() {
        return NAMES.keySet().stream().filter(MessageTypes::isReply).sorted().toList();
    }

    /** {@return whether a type is a request} */
    public static boolean isRequest(int type) {
        return (type & REQUEST_FLAG) != 0 && (type & REPLY_FLAG) == 0;
    }

    /** {@return whether a type is a reply} */
    public static boolean isReply(int type) {
        return (type & REPLY_FLAG) != 0 && (type & REQUEST_FLAG) == 0;
    }

    /**
     * {@return whether a message of a type may wait for a thread that has called {@link
     * RpcAgent#linger}: the receiver needs it only in its own next operation}
     */
    public static boolean isPatient(int type) {
        return type == COLLECTIVE_REQ || type == COLLECTIVE_ACK;
    }

    /** {@return whether a type is a header that a receiver may skip} */
    public static boolean isOptionalHeader(int type) {
        return (isRequest(type) || isReply(type))
                && (type & OPTIONAL_HEADERS_MASK) == OPTIONAL_HEADERS;
    }

    /** {@return the name of a type, or its number in hexadecimal if it is of an extension} */
    public static String name(int type) {
        return NAMES.getOrDefault(type, "0x" + Integer.toHexString(type));
    }
}
