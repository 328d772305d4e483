package org.gradwire.device.cuda;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DevicePeer;
import org.gradwire.spi.device.DeviceSharing;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One of two processes that share memory, with memory that has names, and the other one as a peer.
 */
final class SharingSide {
    /** Before each reply of the child. */
    static final String REPLY = "= ";

    final CudaDevices devices = new CudaDevices();
    final DeviceSharing sharing = devices.sharing().orElseThrow();
    final DevicePeer peer = sharing.peer();
    private final Map<String, DeviceMemory> memories = new HashMap<>();

    DeviceMemory memory(String name) {
        DeviceMemory memory = memories.get(name);
        if (memory == null) {
            throw new AssertionError("no memory " + name);
        }
        return memory;
    }

    /** Allocate on a device, or on the only one. */
    private DeviceMemory allocate(int device, long bytes) {
        return devices.allocate(device % devices.count(), bytes);
    }

    /** Allocate memory under a name; its contents are of a seed. */
    void random(String name, int device, int bytes, long seed) {
        DeviceMemory memory = allocate(device, bytes);
        memory.copyFromHost(MemorySegment.ofArray(bytes(bytes, seed)), 0);
        memories.put(name, memory);
    }

    static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** Allocate memory of zeros under a name. */
    void zeros(String name, int device, int bytes) {
        DeviceMemory memory = allocate(device, bytes);
        memory.clear();
        memories.put(name, memory);
    }

    /** Add 1 to all of some memory, as ints, in this number of kernels; do not wait for them. */
    void increase(String name, int times) {
        DeviceMemory memory = memory(name);
        int[] sizes = {(int) memory.bytes() / Integer.BYTES};
        Operand all = Operand.of(memory, ElementType.INT32, 0, sizes, new int[] {1});
        Operand one = Operand.number(ElementType.INT32, 1L);
        for (int i = 0; i < times; i++) {
            devices.kernels().run("add", all, List.of(all, one));
        }
    }

    byte[] exported(String name, long offset, long bytes) {
        return sharing.exported(memory(name), offset, bytes);
    }

    /** Copy what the other exported to new memory; {@return its reply} */
    byte[] copied(byte[] exported, String name, int device, long bytes) {
        peer.check(exported, bytes);
        memories.putIfAbsent(name, allocate(device, bytes));
        return peer.copyFrom(exported, memory(name));
    }

    byte[] read(String name) {
        byte[] bytes = new byte[(int) memory(name).bytes()];
        memory(name).copyToHost(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /** {@return the only number of some memory of ints} */
    int number(String name) {
        int[] numbers = new int[(int) memory(name).bytes() / Integer.BYTES];
        memory(name).copyToHost(0, MemorySegment.ofArray(numbers));
        if (Arrays.stream(numbers).distinct().count() != 1) {
            throw new AssertionError("%s has different numbers".formatted(name));
        }
        return numbers[0];
    }

    void release(String name) {
        memory(name).release();
        memories.remove(name);
    }

    private String reply(String[] words) {
        HexFormat hex = HexFormat.of();
        switch (words[0]) {
            case "random" ->
                    random(
                            words[1],
                            Integer.parseInt(words[2]),
                            Integer.parseInt(words[3]),
                            Long.parseLong(words[4]));
            case "zeros" -> zeros(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            case "increase" -> increase(words[1], Integer.parseInt(words[2]));
            case "export" -> {
                return hex.formatHex(
                        exported(words[1], Long.parseLong(words[2]), Long.parseLong(words[3])));
            }
            case "copy" -> {
                return hex.formatHex(
                        copied(
                                hex.parseHex(words[1]),
                                words[2],
                                Integer.parseInt(words[3]),
                                Long.parseLong(words[4])));
            }
            case "copied" -> peer.copied(memory(words[1]), hex.parseHex(words[2]));
            case "release" -> release(words[1]);
            default -> throw new AssertionError(words[0]);
        }
        return "";
    }

    /** Follow the lines of the input, until its end. */
    public static void main(String[] args) throws IOException {
        var side = new SharingSide();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(REPLY + side.reply(line.split(" ")));
        }
    }
}
