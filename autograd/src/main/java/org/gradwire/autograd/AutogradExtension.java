package org.gradwire.autograd;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallMemory;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.ValueCodec;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Storage;
import org.gradwire.tensor.kernel.NativeMemory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What tensors and distributed autograd add to a worker. */
final class AutogradExtension implements RpcExtension {
    private final ContextContainer contexts;
    private final DeviceMaps devices;

    AutogradExtension(Worker worker) {
        this.contexts = new ContextContainer(worker, System.getLogger("org.gradwire.autograd"));
        this.devices = new DeviceMaps(worker);
    }

    ContextContainer contexts() {
        return contexts;
    }

    boolean mapsDevices(String target) {
        return devices.isMapped(target);
    }

    @Override
    public List<ValueCodec<?>> codecs() {
        return List.of(new TensorCodec(devices::target));
    }

    @Override
    public List<CallInterceptor> interceptors() {
        return List.of(new RecordingInterceptor(contexts));
    }

    @Override
    public List<RequestHandler> handlers() {
        return List.of(
                new GradientMessage.Handler(contexts),
                new DiscoveryMessage.Handler(contexts),
                new ContextCleanup.Handler(contexts),
                new ContextInquiry.Handler(contexts),
                new DeviceMaps.Handler(devices));
    }

    @Override
    public void onJoined() {
        devices.onJoined();
    }

    @Override
    public void onPeerJoined(WorkerInfo peer) {
        contexts.onPeerJoined(peer.id());
        devices.onPeerJoined(peer);
    }

    /** Large tensors are received into the pool that tensors live in. */
    @Override
    public Optional<BufferAllocator> allocator() {
        return Optional.of(Storage.allocator());
    }

    @Override
    public Optional<CallMemory> callMemory() {
        return Optional.of(new ScopedCalls(contexts));
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = passFigures();
        NativeMemory memory = NativeMemory.installed();
        long bytes = memory == null ? 0 : memory.bytesInUse();
        info.put("native_tensor_bytes", Long.toString(bytes));
        return info;
    }

    /** {@return figures of contexts and their passes} */
    Map<String, String> passFigures() {
        List<AutogradContext> all = contexts.all();
        long passes = all.stream().filter(context -> context.passes().current() != null).count();
        Map<String, String> info = new TreeMap<>();
        info.put("num_current_backward_passes", Long.toString(passes));
        info.put("num_autograd_contexts", Integer.toString(all.size()));
        List<String> stalled = contexts.stalls().reports();
        if (!stalled.isEmpty()) {
            info.put("stalled_backward_passes", String.join("\n", stalled));
        }
        return info;
    }

    /**
     * Contexts of the lost worker will never be closed by it, and those that only lost workers
     * brought may never have been opened; passes that it began interest nobody, and those that wait
     * for its gradients will never get them.
     */
    @Override
    public void onPeerLost(int peer, RpcException reason) {
        devices.onPeerLost(peer);
        for (AutogradContext context : contexts.all()) {
            PassPart running = context.passes().current();
            if (running != null
                    && (running.waitsFor(peer) || ContextContainer.creator(running.id()) == peer)) {
                running.fail(new RpcConnectionException(reason.getMessage()));
            }
        }
        contexts.refuseThoseOf(peer).forEach(ContextCleanup::releaseHere);
        contexts.orphans().forEach(ContextInquiry::ask);
    }

    /** The worker has stopped: passes that still wait will get nothing more. */
    @Override
    public void close() {
        for (AutogradContext context : contexts.all()) {
            PassPart running = context.passes().current();
            if (running != null) {
                running.fail(
                        new RpcException(
                                RpcErrorKind.SHUTDOWN,
                                "the worker was shut down while a backward pass of autograd context %d was under way"
                                        .formatted(context.id())));
            }
        }
    }
}
