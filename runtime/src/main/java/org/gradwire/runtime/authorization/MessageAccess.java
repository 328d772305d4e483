package org.gradwire.runtime.authorization;

import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The permission that the sender of a message of some type needs. A type without an entry is an
 * extension's, whose permission has its number.
 *
 * @param check when the permission is checked
 * @param action the permission; null where none is needed, or the function says it
 * @param reason why it is so
 */
record MessageAccess(Check check, @Nullable String action, String reason) {

    /** The moment of a check. */
    enum Check {
        /** No check. */
        NEVER,
        /** The message is checked when it arrives, before its body is decoded. */
        ON_ARRIVAL,
        /** The function is checked, before its arguments are decoded. */
        BY_FUNCTION,
        /** The handler checks, because it knows more. */
        BY_HANDLER
    }

    /** The operator with which references ask for the class of their value. */
    private static final String TYPE_NAME = "gradwire::type_name";

    /** The operator with which members pass on a value that is sent to a group. */
    private static final String BROADCAST = "gradwire::broadcast";

    /** The operators with which a consumer opens a stream, takes its values and closes it. */
    private static final Set<String> STREAM =
            Set.of("gradwire::stream_open", "gradwire::stream_next", "gradwire::stream_close");

    private static final String EXTENSION = "gradwire::message-";
    private static final Pattern EXTENSION_ACTION = Pattern.compile(EXTENSION + "[0-9a-f]{1,8}");
    private static final String OWN_REFERENCE =
            "acts only for the sender, on references that it holds; using the value needs a permission";
    private static final String REPLY = "a reply to a request of this worker";
    private static final String OF_SENDER = "acts only on calls of the sender";

    private static final Map<Integer, MessageAccess> TABLE = table();
    private static final MessageAccess OPTIONAL =
            never("a header that a receiver may skip; it changes nothing");

    private static Map<Integer, MessageAccess> table() {
        Map<Integer, MessageAccess> table = new HashMap<>();
        table.put(MessageTypes.SCRIPT_CALL, byFunction());
        table.put(MessageTypes.UDF_CALL, byFunction());
        table.put(MessageTypes.SCRIPT_REMOTE_CALL, byFunction());
        table.put(MessageTypes.UDF_REMOTE_CALL, byFunction());
        table.put(MessageTypes.SCRIPT_RREF_FETCH_CALL, needs(Permission.FETCH));
        table.put(MessageTypes.UDF_RREF_FETCH_CALL, needs(Permission.FETCH));
        table.put(MessageTypes.FORWARD_AUTOGRAD_REQ, needs(Permission.AUTOGRAD));
        table.put(MessageTypes.BACKWARD_AUTOGRAD_REQ, needs(Permission.AUTOGRAD));
        table.put(MessageTypes.RREF_BACKWARD_REQ, needs(Permission.AUTOGRAD));
        table.put(MessageTypes.DISCOVER_AUTOGRAD_REQ, needs(Permission.AUTOGRAD));
        table.put(MessageTypes.RUN_WITH_PROFILING_REQ, needs(Permission.PROFILE));
        table.put(MessageTypes.COLLECTIVE_REQ, needs(Permission.COLLECTIVE));
        table.put(MessageTypes.COLLECTIVE_END_REQ, needs(Permission.COLLECTIVE));
        String farewell = "the rounds in which a group shuts down need none, and carry no values";
        table.put(MessageTypes.GATHER_REQ, byHandler(Permission.ALL_GATHER, farewell));
        table.put(MessageTypes.BROADCAST_REQ, byHandler(Permission.ALL_GATHER, farewell));
        table.put(
                MessageTypes.JOIN_REQ,
                byHandler(Permission.JOIN, "the name is known after the membership log is read"));
        addHarmless(table);
        MessageTypes.replies().forEach(type -> table.put(type, never(REPLY)));
        return Map.copyOf(table);
    }

    private static void addHarmless(Map<Integer, MessageAccess> table) {
        table.put(MessageTypes.RREF_USER_DELETE, never(OWN_REFERENCE));
        table.put(MessageTypes.RREF_FORK_REQUEST, never(OWN_REFERENCE));
        table.put(MessageTypes.RREF_CHILD_ACCEPT, never(OWN_REFERENCE));
        table.put(MessageTypes.RREF_SAVE_REQ, never(OWN_REFERENCE));
        table.put(MessageTypes.RREF_LOAD_REQ, never(OWN_REFERENCE));
        table.put(MessageTypes.CANCEL_REQ, never(OF_SENDER));
        table.put(MessageTypes.CALLS_ENDED_REQ, never(OF_SENDER));
        table.put(
                MessageTypes.QUEUE_DEPTH_REQ,
                never("reads one number, which a blocked caller needs"));
        table.put(
                MessageTypes.DEVICES_REQ,
                never("reads the list of devices, before tensors on devices are sent"));
        table.put(
                MessageTypes.DEVICE_COPIED_REQ,
                never("releases the memory of a tensor that was sent to the sender"));
        table.put(
                MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ,
                never("frees a context whose secret the sender knows, because it takes part"));
        table.put(
                MessageTypes.AUTOGRAD_CONTEXT_OPEN_REQ,
                never("reads whether a context is open, in which the sender takes part"));
        table.put(
                MessageTypes.LEAVE_REQ,
                never("acts only for the sender; others would wait for a worker that has left"));
        table.put(
                MessageTypes.TRACE_CONTEXT_REQ,
                never("a header that a receiver may skip; it changes nothing"));
    }

    private static MessageAccess never(String reason) {
        return new MessageAccess(Check.NEVER, null, reason);
    }

    private static MessageAccess byFunction() {
        return new MessageAccess(Check.BY_FUNCTION, null, "the name of the function");
    }

    private static MessageAccess needs(Permission permission) {
        return new MessageAccess(Check.ON_ARRIVAL, permission.action(), "");
    }

    private static MessageAccess byHandler(Permission permission, String reason) {
        return new MessageAccess(Check.BY_HANDLER, permission.action(), reason);
    }

    /** {@return the access of a type of messages} */
    static MessageAccess of(int type) {
        MessageAccess known = TABLE.get(type);
        if (known != null) {
            return known;
        }
        return MessageTypes.isOptionalHeader(type)
                ? OPTIONAL
                : new MessageAccess(Check.ON_ARRIVAL, EXTENSION + Integer.toHexString(type), "");
    }

    /** {@return the actions that are neither functions nor operators of tensors} */
    static Set<String> actions() {
        var actions = new TreeSet<String>();
        for (Permission permission : Permission.values()) {
            actions.add(permission.action());
        }
        actions.add(TYPE_NAME);
        actions.add(BROADCAST);
        actions.addAll(STREAM);
        return actions;
    }

    /**
     * {@return whether a name is that of an extension's messages, such as gradwire::message-1c0}
     */
    static boolean isActionOfExtension(String name) {
        return EXTENSION_ACTION.matcher(name).matches();
    }
}
