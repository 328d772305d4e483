package org.gradwire.opentelemetry;

import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.RpcExtensionProvider;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Worker;

import java.util.List;

/** Adds OpenTelemetry to workers. Made by {@link java.util.ServiceLoader}. */
public final class OpenTelemetryExtensionProvider implements RpcExtensionProvider {
    private static final String KEY = "gradwire.opentelemetry";
    private static final String SPANS = "spans";
    private static final String CONTEXT = "context";
    private static final String OFF = "off";

    /** For {@link java.util.ServiceLoader}. */
    public OpenTelemetryExtensionProvider() {}

    @Override
    public String name() {
        return "opentelemetry";
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                new Setting(
                        KEY,
                        SPANS,
                        "What OpenTelemetry does for calls: spans (the context travels with each call, and the call is a span on either side), context (it travels, and the program makes its own spans) or off."));
    }

    @Override
    public RpcExtension create(Worker worker) {
        return switch (worker.settings().choice(KEY, List.of(SPANS, CONTEXT, OFF))) {
            case SPANS -> new OpenTelemetryExtension(worker.rpc().self(), true);
            case CONTEXT -> new OpenTelemetryExtension(worker.rpc().self(), false);
            default -> new RpcExtension() {};
        };
    }
}
