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

/** Lets the victim load safetensors files with errors in them. */
final class TensorFiles implements Attacker {
    private static final int BATCH = 200;
    private static final int MOST_HEADER = 400;

    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) throws IOException {
        Path folder = Files.createDirectories(target.scratch().resolve("batch"));
        byte[] sound = sound(target.scratch().resolve("sound.safetensors"));
        var mutations = new Mutations(random);
        try (Member member = Member.join(target.rank())) {
            tally.connected();
            member.rpc().rpcTimeout(Duration.ofSeconds(60));
            while (!tally.isOver()) {
                for (int i = 0; i < BATCH; i++) {
                    Files.write(folder.resolve(i + ".safetensors"), file(mutations, random, sound));
                }
                List<Integer> counts =
                        member.rpc().rpcSync("victim", VictimFunctions::load, folder.toString());
                tally.sent(BATCH);
                tally.served(counts.getFirst());
                tally.refused(counts.getLast());
            }
        }
    }

    private static byte[] sound(Path file) throws IOException {
        SafeTensors.save(
                file,
                Map.of("a", Tensor.ones(2, 3), "b", Tensor.arange(5)),
                Map.of("key", "value"));
        return Files.readAllBytes(file);
    }

    private static byte[] file(Mutations mutations, RandomGenerator random, byte[] sound) {
        if (random.nextInt(8) > 0) {
            return mutations.of(sound);
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
