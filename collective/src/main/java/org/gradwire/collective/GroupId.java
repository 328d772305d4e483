package org.gradwire.collective;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The identity of a group, equal on all members. It is computed, so that no message is needed to
 * make a group.
 *
 * @param count number of groups with this name and these members that this worker has made, from 1
 * @param members ids of workers, by rank
 */
record GroupId(String name, int count, int[] members) {
    private static final int MAX_NAME = 1_000; // characters
    private static final int MAX_MEMBERS = 1 << 15;

    static GroupId of(String name, int count, WorkerInfo[] members) {
        return new GroupId(name, count, Arrays.stream(members).mapToInt(WorkerInfo::id).toArray());
    }

    boolean hasSameMembers(GroupId other) {
        return Arrays.equals(members, other.members);
    }

    /** {@return 64 bits of a digest of the identity, which messages carry} */
    long digest() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(name.getBytes(StandardCharsets.UTF_8));
            ByteBuffer numbers = ByteBuffer.allocate(Integer.BYTES * (members.length + 1));
            numbers.putInt(count);
            for (int member : members) {
                numbers.putInt(member);
            }
            return ByteBuffer.wrap(sha.digest(numbers.array())).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    String membersText() {
        String text = Arrays.toString(members);
        return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) + "..." : text;
    }

    void write(Output out) {
        out.writeString(name);
        out.writeInt(count);
        out.writeInt(members.length);
        for (int member : members) {
            out.writeInt(member);
        }
    }

    static GroupId read(Input in) {
        String name = in.readString();
        if (name.length() > MAX_NAME) {
            throw new DecodingException(
                    "a name of a group has %d characters".formatted(name.length()));
        }
        int count = in.readCount(Integer.MAX_VALUE);
        int[] members = new int[in.readCount(Math.min(MAX_MEMBERS, in.remaining()))];
        for (int rank = 0; rank < members.length; rank++) {
            members[rank] = in.readCount(MAX_MEMBERS);
        }
        return new GroupId(name, count, members);
    }

    /** Check a name before a group is made. */
    static void requireName(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "the name of a group has 1 to %d characters, not %d"
                            .formatted(MAX_NAME, name.length()));
        }
    }
}
