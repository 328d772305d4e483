package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.CallArena;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcExtension;
import org.gradwire.spi.ValueCodec;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.kernel.memory.NativeMemory;
import org.gradwire.tensor.storage.Devices;
import org.gradwire.tensor.storage.HostCopyCounts;
import org.gradwire.tensor.storage.Storage;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The worker extension that adds tensors and distributed autograd. */
final class AutogradExtension implements RpcExtension {
    private final ContextContainer contexts;
    private final StallDetector stalls;
    private final DistributedEngine engine;
    private final DeviceShares shares;
    private final DeviceMaps devices;

    AutogradExtension(Worker worker) {
        this.contexts = new ContextContainer(worker, System.getLogger("org.gradwire.autograd"));
        this.stalls = new StallDetector(worker, contexts);
        this.engine = new DistributedEngine(worker, contexts, stalls);
        this.shares = new DeviceShares(worker);
        this.devices = new DeviceMaps(worker, shares);
    }

    ContextContainer contexts() {
        return contexts;
    }

    DistributedEngine engine() {
        return engine;
    }

    boolean mapsDevices(String target) {
        return devices.isMapped(target);
    }

    @Override
    public List<ValueCodec<?>> codecs() {
        return List.of(new TensorCodec(devices::target, shares));
    }

    @Override
    public List<CallInterceptor> interceptors() {
        return List.of(new RecordingInterceptor(contexts));
    }

    @Override
    public List<RequestHandler> handlers() {
        return List.of(
                new GradientMessage.Handler(contexts, engine),
                new DiscoveryMessage.Handler(contexts, engine),
                new ContextCleanup.Handler(contexts),
                new ContextInquiry.Handler(contexts),
                new DeviceMaps.Handler(devices),
                new DeviceShares.Handler(shares));
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

    /** {@return the allocator of tensor memory, into which large tensors are received} */
    @Override
    public Optional<BufferAllocator> allocator() {
        return Optional.of(Storage.allocator());
    }

    @Override
    public Optional<CallArena> callArena() {
        return Optional.of(new NonRetainingCalls(contexts));
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new TreeMap<>();
        addPasses(info);
        NativeMemory memory = NativeMemory.installed();
        long bytes = memory == null ? 0 : memory.bytesInUse();
        info.put("native_tensor_bytes", Long.toString(bytes));
        info.put("num_shared_device_tensors", Integer.toString(shares.size()));
        info.put("num_copied_device_tensors", Long.toString(shares.copies()));
        addDevices(info);
        return info;
    }

    private static void addDevices(Map<String, String> info) {
        Devices.installed()
                .memoryUse()
                .forEach((device, use) -> {
                    info.put(device + ".allocated_bytes", Long.toString(use.allocated()));
                    info.put(device + ".reserved_bytes", Long.toString(use.reserved()));
                    info.put(device + ".peak_bytes", Long.toString(use.peak()));
                });
        HostCopyCounts.copies()
                .forEach((operator, count) ->
                        info.put("host_copies." + operator, Long.toString(count)));
    }

    /** Add the metrics of contexts and their passes. */
    private void addPasses(Map<String, String> info) {
        List<ContextState> all = contexts.all();
        long passes = all.stream().filter(context -> context.passes().current() != null).count();
        info.put("num_current_backward_passes", Long.toString(passes));
        info.put("num_autograd_contexts", Integer.toString(all.size()));
        List<String> stalled = stalls.reports();
        if (!stalled.isEmpty()) {
            info.put("stalled_backward_passes", String.join("\n", stalled));
        }
    }

    /**
     * Fail the passes that the lost worker initiated, or that wait for its gradients. Release the
     * contexts that it created, which it cannot close, and inquire about those that it, but not
     * their creator, introduced here: it may have forged them.
     */
    @Override
    public void onPeerLost(int peer, RpcException reason) {
        devices.onPeerLost(peer);
        shares.onPeerLost(peer);
        for (ContextState context : contexts.all()) {
            BackwardPhase running = context.passes().current();
            if (running != null
                    && (running.waitsFor(peer) || GlobalIds.creator(running.id()) == peer)) {
                running.fail(new RpcConnectionException(reason.getMessage()));
            }
        }
        contexts.refuseThoseOf(peer)
                .forEach(context -> ContextCleanup.releaseHere(contexts, context));
        contexts.introducedBy(peer).forEach(context -> ContextInquiry.ask(contexts, context));
    }

    /** Fail the passes in flight, for which nothing arrives after the stop. */
    @Override
    public void close() {
        shares.close();
        for (ContextState context : contexts.all()) {
            BackwardPhase running = context.passes().current();
            if (running != null) {
                running.fail(
                        new RpcException(
                                RpcErrorKind.SHUTDOWN,
                                "the worker was shut down while a backward pass of autograd context %d was running"
                                        .formatted(context.id())));
            }
        }
    }
}
