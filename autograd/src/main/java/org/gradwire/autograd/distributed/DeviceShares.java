package org.gradwire.autograd.distributed;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Worker;
import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DevicePeer;
import org.gradwire.spi.device.DeviceSharing;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.SharedMemory;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Copies of tensors between devices of two processes on one machine, without host memory. When
 * workers exchange their devices, each offers some device memory, and the other tries to open it.
 *
 * <p>The sender keeps the memory of a tensor until the receiver has acknowledged it ({@link
 * MessageTypes#DEVICE_COPIED_REQ}), or is lost.
 */
final class DeviceShares implements DeviceCopies {
    private static final int MOST_TYPES = 16;
    private static final int MOST_DEVICES = 1 << 10;
    private static final int PROBE_BYTES = 512;
    private static final byte[] NOT_COPIED = {}; // acknowledges a tensor that was not copied

    private final Worker worker;
    private final Supplier<Map<String, DeviceSharing>> finder;
    private volatile @Nullable Map<String, DeviceSharing> found; // set at the first offer
    private final Map<String, DeviceMemory> probes = new ConcurrentHashMap<>();
    private final Map<Integer, Map<String, Peer>> peers = new ConcurrentHashMap<>();
    private final Map<Long, Share> shares = new ConcurrentHashMap<>();
    private final AtomicLong nextShare = new AtomicLong();
    private final AtomicLong copies = new AtomicLong();

    DeviceShares(Worker worker) {
        this(worker, permitted(worker.settings(), SharedMemory::types));
    }

    /**
     * {@return the finder, or one that finds nothing where all that workers send each other must be
     * encrypted} Device memory is not.
     */
    static Supplier<Map<String, DeviceSharing>> permitted(
            Settings settings, Supplier<Map<String, DeviceSharing>> finder) {
        return settings.find(Settings.ENCRYPTION).orElse("").equals("all") ? Map::of : finder;
    }

    /**
     * Create shares.
     *
     * @param finder finds the devices that can share memory; called at the first offer, since it
     *     may load a driver
     */
    DeviceShares(Worker worker, Supplier<Map<String, DeviceSharing>> finder) {
        this.worker = worker;
        this.finder = finder;
    }

    private Map<String, DeviceSharing> sharings() {
        Map<String, DeviceSharing> known = found;
        if (known == null) {
            known = finder.get();
            found = known; // another thread finds the same
        }
        return known;
    }

    /**
     * Another process's devices of one type.
     *
     * @param devices the identities of the devices
     */
    private record Peer(DevicePeer opened, Set<String> devices) {}

    private record Share(int peer, String type, SharedMemory memory) {}

    // ---- the exchange when workers join

    /** Write this process's devices, with memory for the other process to open. */
    void writeOffer(Output out) {
        out.writeLong(ProcessHandle.current().pid());
        out.writeInt(sharings().size());
        sharings()
                .forEach((type, sharing) -> {
                    out.writeString(type);
                    out.writeString(sharing.machine());
                    out.writeInt(sharing.devices().size());
                    sharing.devices().forEach(out::writeString);
                    out.writeBytes(sharing.exported(probe(type), 0, PROBE_BYTES));
                });
    }

    private DeviceMemory probe(String type) {
        return probes.computeIfAbsent(type, _ -> SharedMemory.probe(type, PROBE_BYTES));
    }

    /** Read another worker's offer, and try to open its memory. */
    void readOffer(Input in) {
        boolean other = in.readLong() != ProcessHandle.current().pid();
        int types = in.readCount(MOST_TYPES);
        for (int i = 0; i < types; i++) {
            String type = in.readString();
            String machine = in.readString();
            Set<String> devices = new HashSet<>();
            int count = in.readCount(MOST_DEVICES);
            for (int d = 0; d < count; d++) {
                devices.add(in.readString());
            }
            byte[] probe = in.readBytes();
            DeviceSharing sharing = sharings().get(type);
            if (other && sharing != null && sharing.machine().equals(machine)) {
                attempt(in.source(), type, sharing, devices, probe);
            }
        }
    }

    private void attempt(
            int peer, String type, DeviceSharing sharing, Set<String> devices, byte[] probe) {
        DevicePeer opened = sharing.peer();
        try {
            opened.check(probe, PROBE_BYTES);
            Peer before =
                    peers.computeIfAbsent(peer, _ -> new ConcurrentHashMap<>())
                            .put(type, new Peer(opened, Set.copyOf(devices)));
            if (before != null) {
                before.opened.close();
            }
        } catch (DeviceException | IllegalArgumentException _) {
            opened.close(); // tensors are copied through host memory
        }
    }

    private @Nullable Peer peer(int peer, String type) {
        Map<String, Peer> types = peers.get(peer);
        return types == null ? null : types.get(type);
    }

    // ---- tensors

    @Override
    public boolean reaches(Output out, Device device) {
        Peer other = peer(out.destination(), device.type());
        return other != null
                && other.devices.contains(sharing(device.type()).devices().get(device.index()));
    }

    private DeviceSharing sharing(String type) {
        return Objects.requireNonNull(sharings().get(type), "the type has devices that share");
    }

    @Override
    public void write(Tensor dense, long count, Output out) {
        String type = dense.device().type();
        SharedMemory memory = SharedMemory.of(sharing(type), dense, count);
        long id = nextShare.incrementAndGet();
        var share = new Share(out.destination(), type, memory);
        shares.put(id, share);
        if (peer(share.peer, type) == null && shares.remove(id, share)) { // lost meanwhile
            memory.release();
        }
        out.writeLong(id);
        out.writeBytes(memory.exported());
    }

    @Override
    public Storage read(DType dtype, Device device, int count, Input in) {
        long id = in.readLong();
        byte[] exported = in.readBytes();
        byte[] answer = NOT_COPIED;
        try {
            Peer peer = peer(in.source(), device.type());
            if (peer == null) {
                throw new DecodingException(
                        "worker %d sent device memory that this process cannot open"
                                .formatted(in.source()));
            }
            SharedMemory.Imported imported =
                    SharedMemory.imported(peer.opened, exported, dtype, device, count);
            answer = imported.answer();
            copies.incrementAndGet();
            return imported.storage();
        } catch (IllegalArgumentException | IllegalStateException | DeviceException e) {
            throw new DecodingException("device memory of a tensor: " + e.getMessage(), e);
        } finally {
            answer(in.source(), id, answer);
        }
    }

    private void answer(int peer, long id, byte[] answer) {
        var _ =
                worker.requestWithRetries(
                        peer,
                        MessageTypes.DEVICE_COPIED_REQ,
                        out -> {
                            out.writeLong(id);
                            out.writeBytes(answer);
                        },
                        Worker.CONTROL_RETRY_POLICY);
    }

    private void copied(int from, long id, byte[] answer) {
        Share share = shares.get(id);
        if (share == null && id > 0 && id <= nextShare.get()) {
            return; // repeated, or late
        }
        if (share == null || share.peer != from || !shares.remove(id, share)) {
            throw new DecodingException(
                    "worker %d acknowledged device memory %d, which was not sent to it"
                            .formatted(from, id));
        }
        Peer peer = peer(from, share.type);
        if (peer == null || answer.length == 0) {
            share.memory.release();
            return;
        }
        try {
            share.memory.copied(peer.opened, answer);
        } catch (IllegalArgumentException | IllegalStateException | DeviceException e) {
            throw new DecodingException(
                    "worker %d acknowledged device memory %d: %s"
                            .formatted(from, id, e.getMessage()),
                    e);
        }
    }

    /** {@return the number of tensors that their receivers have not acknowledged} */
    int size() {
        return shares.size();
    }

    /** {@return the number of tensors copied from devices of other processes so far} */
    long copies() {
        return copies.get();
    }

    void onPeerLost(int peer) {
        Map<String, Peer> gone = peers.remove(peer); // before the shares: write relies on it
        shares.forEach((id, share) -> {
            if (share.peer == peer && shares.remove(id, share)) {
                share.memory.release();
            }
        });
        if (gone != null) {
            gone.values().forEach(other -> other.opened.close());
        }
    }

    void close() {
        Set.copyOf(peers.keySet()).forEach(this::onPeerLost);
        probes.values().forEach(DeviceMemory::release);
    }

    /** Handler of {@link MessageTypes#DEVICE_COPIED_REQ}. */
    static final class Handler implements RequestHandler {
        private final DeviceShares shares;

        Handler(DeviceShares shares) {
            this.shares = shares;
        }

        @Override
        public int requestType() {
            return MessageTypes.DEVICE_COPIED_REQ;
        }

        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            Input body = request.body();
            shares.copied(body.source(), body.readLong(), body.readBytes());
            request.reply(MessageTypes.DEVICE_COPIED_ACK, _ -> {});
        }
    }
}
