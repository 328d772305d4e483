package org.gradwire.attack.intruder;

import org.gradwire.attack.victim.VictimFunctions;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Makes the victim load corrupted safetensors files. */
final class TensorFiles implements Attacker {
    private static final int BATCH = 200;
    private static final int MOST_HEADER = 400;

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter)
            throws IOException {
        Path folder = Files.createDirectories(target.scratch().resolve("batch"));
        byte[] valid = valid(target.scratch().resolve("valid.safetensors"));
        var mutations = new Mutations(random);
        try (HostileMember hostileMember = HostileMember.join(target.rank())) {
            inputCounter.connected();
            hostileMember.rpc().rpcTimeout(Duration.ofSeconds(60));
            while (!inputCounter.isOver()) {
                for (int i = 0; i < BATCH; i++) {
                    Files.write(folder.resolve(i + ".safetensors"), file(mutations, random, valid));
                }
                List<Integer> counts =
                        hostileMember
                                .rpc()
                                .rpcSync("victim", VictimFunctions::load, folder.toString());
                inputCounter.sent(BATCH);
                inputCounter.served(counts.getFirst());
                inputCounter.refused(counts.getLast());
            }
        }
    }

    private static byte[] valid(Path file) throws IOException {
        SafeTensors.save(
                file,
                Map.of("a", Tensor.ones(2, 3), "b", Tensor.arange(5)),
                Map.of("key", "value"));
        return Files.readAllBytes(file);
    }

    private static byte[] file(Mutations mutations, RandomGenerator random, byte[] valid) {
        if (random.nextInt(8) > 0) {
            return mutations.of(valid);
        }
        String text = "{\"a\":" + "[{\"b\":".repeat(random.nextInt(MOST_HEADER / 8));
        byte[] header = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + header.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(random.nextBoolean() ? header.length : random.nextLong())
                .put(header)
                .array();
    }
}
