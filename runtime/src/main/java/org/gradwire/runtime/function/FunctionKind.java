package org.gradwire.runtime.function;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.MessageTypes;

/** The kind of a remote function, which determines the types of its messages. */
public enum FunctionKind {
    /** An operator, identified by a short name. */
    BUILTIN(
            0,
            MessageTypes.SCRIPT_CALL,
            MessageTypes.SCRIPT_RET,
            MessageTypes.SCRIPT_REMOTE_CALL,
            MessageTypes.SCRIPT_RREF_FETCH_CALL),
    /** A function with a schema. */
    SCRIPT(
            1,
            MessageTypes.SCRIPT_CALL,
            MessageTypes.SCRIPT_RET,
            MessageTypes.SCRIPT_REMOTE_CALL,
            MessageTypes.SCRIPT_RREF_FETCH_CALL),
    /** Any marked method: a user-defined function. */
    USER(
            2,
            MessageTypes.UDF_CALL,
            MessageTypes.UDF_RET,
            MessageTypes.UDF_REMOTE_CALL,
            MessageTypes.UDF_RREF_FETCH_CALL);

    private static final FunctionKind[] KINDS = values();

    private final int code;
    private final int callType;
    private final int replyType;
    private final int remoteCallType;
    private final int fetchType;

    FunctionKind(int code, int callType, int replyType, int remoteCallType, int fetchType) {
        this.code = code;
        this.callType = callType;
        this.replyType = replyType;
        this.remoteCallType = remoteCallType;
        this.fetchType = fetchType;
    }

    /** {@return the code of this kind on the wire} */
    public int code() {
        return code;
    }

    public static FunctionKind ofCode(int code) {
        if (code < 0 || code >= KINDS.length) {
            throw new DecodingException("unknown kind of function " + code);
        }
        return KINDS[code];
    }

    /** {@return the type of messages that call a function of this kind} */
    public int callType() {
        return callType;
    }

    /** {@return the type of replies to a call} */
    public int replyType() {
        return replyType;
    }

    /** {@return the type of messages that call a function and leave its result} */
    public int remoteCallType() {
        return remoteCallType;
    }

    /** {@return the type of messages that fetch a result left behind} */
    public int fetchType() {
        return fetchType;
    }
}
