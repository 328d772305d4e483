package org.gradwire.opentelemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapSetter;

import org.gradwire.opentelemetry.GlobalTelemetry.Telemetry;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallScope;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Propagates the context of a call to its callee. Request header: the fields that the configured
 * propagators write, as names and values. A reply has no header.
 *
 * <p>A header never fails a call: one that cannot be written is omitted, and one that cannot be
 * read counts as no context.
 */
final class TraceContextInterceptor implements CallInterceptor {
    private static final System.Logger LOGGER =
            System.getLogger("org.gradwire.opentelemetry.context");
    private static final TextMapSetter<Map<String, String>> SETTER =
            (fields, name, value) -> {
                if (fields != null) {
                    fields.put(name, value);
                }
            };
    private static final TextMapGetter<Map<String, String>> GETTER =
            new TextMapGetter<>() {
                @Override
                @SuppressWarnings("deprecation") // used by propagators of older formats
                public Iterable<String> keys(Map<String, String> fields) {
                    return fields.keySet();
                }

                @Override
                public @Nullable String get(@Nullable Map<String, String> fields, String name) {
                    return fields == null ? null : fields.get(name);
                }
            };

    private static final int FIELD_BYTES = 64;

    private final GlobalTelemetry global;
    private final ThreadLocal<@Nullable Context> outgoing = new ThreadLocal<>();

    TraceContextInterceptor(GlobalTelemetry global) {
        this.global = global;
    }

    /**
     * Attach a context to the request that this thread encodes next.
     *
     * @param context null to attach none
     * @return the context attached before
     */
    @Nullable Context carry(@Nullable Context context) {
        Context before = outgoing.get();
        if (context == null) {
            outgoing.remove();
        } else {
            outgoing.set(context);
        }
        return before;
    }

    @Override
    public int requestType() {
        return MessageTypes.TRACE_CONTEXT_REQ;
    }

    @Override
    public int replyType() {
        return MessageTypes.TRACE_CONTEXT_RESP;
    }

    @Override
    public boolean onRequestOut(Output request, boolean contextual, Output header) {
        Context context = outgoing.get();
        if (context == null) {
            return false;
        }
        Map<String, String> fields = inject(context);
        if (fields.isEmpty()) {
            return false;
        }
        header.writeInt(fields.size());
        fields.forEach((name, value) -> {
            header.writeString(name);
            header.writeString(value);
        });
        return true;
    }

    private Map<String, String> inject(Context context) {
        Telemetry telemetry = global.find();
        if (telemetry == null) {
            return Map.of();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        try {
            telemetry.propagator().inject(context, fields, SETTER);
        } catch (RuntimeException failure) {
            LOGGER.log(System.Logger.Level.WARNING, "a propagator failed to write", failure);
            return Map.of();
        }
        return fields;
    }

    @Override
    public CallScope onRequestIn(Input request, Input header) {
        return new ContextScope(extract(header));
    }

    private Context extract(Input header) {
        Telemetry telemetry = global.find();
        if (telemetry == null) {
            return Context.root();
        }
        try {
            return telemetry.propagator().extract(Context.root(), read(header), GETTER);
        } catch (RuntimeException failure) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "a call arrived with an unreadable context",
                    failure);
            return Context.root();
        }
    }

    private static Map<String, String> read(Input header) {
        int count = header.readCount(header.remaining(), FIELD_BYTES);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < count; i++) {
            fields.put(header.readString(), header.readString());
        }
        return fields;
    }

    /** {@return the root context, since this thread may wait for a call in another context} */
    @Override
    public @Nullable CallScope scopeWithoutHeader() {
        return currentScope() == null ? null : new ContextScope(Context.root());
    }

    @Override
    public void onReplyIn(Input reply, Input header) {}

    @Override
    public @Nullable CallScope currentScope() {
        Context context = Context.current();
        return context.equals(Context.root()) ? null : new ContextScope(context);
    }
}
