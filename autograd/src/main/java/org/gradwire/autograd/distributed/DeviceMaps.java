package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The device maps of a worker: they place tensors of its requests on the receiver's devices, and
 * the inverse of the caller's map those of its replies. Workers exchange their devices when they
 * join ({@link MessageTypes#DEVICES_REQ}), and the worker that has a map checks that its target
 * devices exist.
 */
final class DeviceMaps {
    private static final int MOST = 1 << 12;

    private final Worker worker;
    private final DeviceSettings settings;
    private final DeviceShares shares;
    private final Map<Integer, DeviceMap> replies = new ConcurrentHashMap<>(); // by caller

    DeviceMaps(Worker worker, DeviceShares shares) {
        this.worker = worker;
        this.shares = shares;
        this.settings = DeviceSettings.of(worker.settings());
        checkOwn();
    }

    /** {@return the devices that this worker uses, except the CPU} */
    Set<Device> devices() {
        var devices = new TreeSet<Device>(DeviceMaps::compare);
        devices.addAll(settings.devices());
        if (devices.isEmpty()) {
            settings.maps().values().forEach(map -> devices.addAll(map.targets().keySet()));
            replies.values().forEach(map -> devices.addAll(map.targets().keySet()));
        }
        devices.removeIf(Device::isCpu);
        return devices;
    }

    private static int compare(Device one, Device other) {
        int byType = one.type().compareTo(other.type());
        return byType != 0 ? byType : Integer.compare(one.index(), other.index());
    }

    /**
     * Return the device on which a tensor of a message will be placed.
     *
     * @throws RpcException if no map has its device, or a reply has one that this worker does not
     *     use
     */
    Device target(Device device, Output out) {
        int to = out.destination();
        if (to == worker.self().id()) {
            return device;
        }
        if (out.isReply()) {
            checkHandled(device);
        }
        String name = to == Output.NOWHERE ? "nowhere" : worker.rpc().worker(to).name();
        DeviceMap map = out.isReply() ? replies.get(to) : settings.maps().get(name);
        String why =
                "a tensor on a device is sent only to a worker for which a device map exists: move it to cpu, or set one with RpcOptions.Builder.deviceMap or gradwire.device-maps. %s device mapping is not available for destination %s"
                        .formatted(out.isReply() ? "Response" : "Request", name);
        if (map == null) {
            throw new RpcException(why + ", but found tensor on device: " + device);
        }
        Device target = map.target(device);
        if (target == null) {
            throw new RpcException(
                    "%s for device %s but received a tensor on that device."
                            .formatted(why, device));
        }
        return target;
    }

    /** {@return whether there is a device map for messages to a worker} */
    boolean isMapped(String target) {
        return settings.maps().containsKey(target);
    }

    private void checkHandled(Device device) {
        Set<Device> handled = devices();
        if (!handled.contains(device)) {
            throw new RpcException(
                    "a function returned a tensor on device %s, which is not a device of this worker; its devices are: %s. Name it in gradwire.devices, or map it."
                            .formatted(
                                    device,
                                    handled.stream()
                                            .map(Device::toString)
                                            .collect(Collectors.joining(", "))));
        }
    }

    // ---- the exchange of devices

    /** Exchange devices with all workers that have a map here, and check the maps. */
    void onJoined() {
        Set<String> known = new TreeSet<>();
        worker.rpc().workers().forEach(member -> known.add(member.name()));
        if (!worker.inDynamicGroup() && !known.containsAll(settings.maps().keySet())) {
            throw wrong(
                    "invalid target node names in its device maps",
                    settings.maps().keySet(),
                    known);
        }
        Map<WorkerInfo, RpcFuture<Input>> asked = new LinkedHashMap<>();
        for (WorkerInfo member : worker.rpc().workers()) {
            if (!member.equals(worker.self()) && settings.maps().containsKey(member.name())) {
                asked.put(member, tell(member));
            }
        }
        asked.forEach((member, answer) -> check(member, answer.join()));
    }

    /** Exchange devices with a worker that joined later, and check its map. */
    void onPeerJoined(WorkerInfo peer) {
        if (settings.maps().containsKey(peer.name())) {
            check(peer, tell(peer).join());
        }
    }

    void onPeerLost(int peer) {
        replies.remove(peer);
    }

    private DeviceMap map(WorkerInfo target) {
        DeviceMap map = settings.maps().get(target.name());
        if (map == null) {
            throw new AssertionError("nothing is mapped to " + target);
        }
        return map;
    }

    private RpcFuture<Input> tell(WorkerInfo target) {
        return worker.request(
                target.id(),
                MessageTypes.DEVICES_REQ,
                out -> {
                    map(target).write(out);
                    shares.writeOffer(out);
                },
                null);
    }

    private void checkOwn() {
        List<Device> devices = settings.devices();
        if (Set.copyOf(devices).size() < devices.size()) {
            throw wrong("duplicated devices", devices, "each once");
        }
        checkThere("devices with invalid indices", devices, counts());
        settings.maps()
                .forEach((target, map) -> {
                    Set<Device> sources = map.targets().keySet();
                    if (!devices.isEmpty() && !devices.containsAll(withoutHost(sources))) {
                        throw wrong(
                                "unexpected source devices in its device map for " + target,
                                map,
                                devices);
                    }
                    checkThere(
                            "source devices with invalid indices in its device map for " + target,
                            sources,
                            counts());
                });
    }

    private void check(WorkerInfo target, Input answer) {
        List<Device> declared = new ArrayList<>();
        int count = answer.readCount(MOST);
        for (int i = 0; i < count; i++) {
            declared.add(Device.parse(answer.readString()));
        }
        Map<String, Integer> counts = new TreeMap<>();
        int types = answer.readCount(MOST);
        for (int i = 0; i < types; i++) {
            counts.put(answer.readString(), answer.readInt());
        }
        shares.readOffer(answer);
        DeviceMap map = map(target);
        if (!declared.isEmpty() && !declared.containsAll(withoutHost(map.targets().values()))) {
            throw wrong(
                    "unexpected target devices in its device map for " + target.name(),
                    map,
                    declared);
        }
        checkThere(
                "target devices with invalid indices in its device map for " + target.name(),
                map.targets().values(),
                counts);
    }

    private void writeOwn(Output out) {
        out.writeInt(settings.devices().size());
        settings.devices().forEach(device -> out.writeString(device.toString()));
        Map<String, Integer> counts = counts();
        out.writeInt(counts.size());
        counts.forEach((type, count) -> {
            out.writeString(type);
            out.writeInt(count);
        });
        shares.writeOffer(out);
    }

    private static List<Device> withoutHost(Iterable<Device> devices) {
        List<Device> others = new ArrayList<>();
        devices.forEach(device -> {
            if (!device.isCpu()) {
                others.add(device);
            }
        });
        return others;
    }

    private void checkThere(String what, Iterable<Device> devices, Map<String, Integer> counts) {
        for (Device device : withoutHost(devices)) {
            if (device.index() >= counts.getOrDefault(device.type(), 0)) {
                throw wrong(what, device, "device count = " + counts);
            }
        }
    }

    private static Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        Device.types().forEach(type -> counts.put(type, Device.count(type)));
        return counts;
    }

    private RpcConfigurationException wrong(String what, Object found, Object expected) {
        return new RpcConfigurationException(
                "Node %s has %s: %s; expected %s"
                        .formatted(worker.self().name(), what, found, expected));
    }

    /** Handles the device map of another worker: replies with the devices of this one. */
    static final class Handler implements RequestHandler {
        private final DeviceMaps maps;

        Handler(DeviceMaps maps) {
            this.maps = maps;
        }

        @Override
        public int requestType() {
            return MessageTypes.DEVICES_REQ;
        }

        @Override
        public boolean runsOnPoller() {
            return false; // opening another process's memory takes milliseconds
        }

        @Override
        public void handle(IncomingRequest request) {
            DeviceMap map = DeviceMap.read(request.body());
            maps.shares.readOffer(request.body());
            maps.replies.put(request.body().source(), map.inverse());
            request.reply(MessageTypes.DEVICES_RESP, maps::writeOwn);
        }
    }
}
