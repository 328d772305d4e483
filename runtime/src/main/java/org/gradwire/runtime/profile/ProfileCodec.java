package org.gradwire.runtime.profile;

import org.gradwire.profiler.Profile;
import org.gradwire.profiler.ProfilerEvent;
import org.gradwire.profiler.ProfilerOptions;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Encodes profiler options and events in headers. */
final class ProfileCodec {
    private static final int SHAPES = 1;
    private static final int MEMORY = 2;
    private static final int DETACHED = 1;

    /** Limit of events that a caller may request, so that the reply to a long call can be sent. */
    private static final int MOST_EVENTS = 100_000;

    private static final int EVENT_BYTES = 160;
    private static final int SHAPE_BYTES = 64;
    private static final int DIMENSION_BYTES = 24;

    private ProfileCodec() {}

    static void writeOptions(ProfilerOptions options, Output out) {
        out.writeInt((options.recordShapes() ? SHAPES : 0) | (options.recordMemory() ? MEMORY : 0));
        out.writeInt(options.maxEvents());
    }

    static ProfilerOptions readOptions(Input in) {
        int flags = in.readInt();
        int maxEvents = in.readInt();
        if (maxEvents <= 0 || (flags & ~(SHAPES | MEMORY)) != 0) {
            throw new DecodingException(
                    "options of a profile: flags %d, at most %d events"
                            .formatted(flags, maxEvents));
        }
        return new ProfilerOptions(
                (flags & SHAPES) != 0, (flags & MEMORY) != 0, Math.min(maxEvents, MOST_EVENTS));
    }

    static void write(Profile profile, Output out) {
        out.writeLong(profile.dropped());
        out.writeInt(profile.events().size());
        for (ProfilerEvent event : profile.events()) {
            write(event, out);
        }
    }

    static Profile read(Input in) {
        long dropped = in.readLong();
        int count = in.readCount(Math.min(in.remaining(), MOST_EVENTS), EVENT_BYTES);
        List<ProfilerEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(readEvent(in));
        }
        return new Profile(events, dropped);
    }

    private static void write(ProfilerEvent event, Output out) {
        out.writeLong(event.id());
        out.writeLong(event.parent());
        out.writeString(event.name());
        out.writeLong(ChronoUnit.NANOS.between(Instant.EPOCH, event.start()));
        out.writeLong(event.duration().toNanos());
        out.writeInt(event.nodeId());
        out.writeLong(event.threadId());
        out.writeInt(event.detached() ? DETACHED : 0);
        out.writeInt(event.shapes().size());
        for (List<Integer> shape : event.shapes()) {
            out.writeInt(shape.size());
            shape.forEach(out::writeInt);
        }
        out.writeLong(event.allocatedBytes());
    }

    private static ProfilerEvent readEvent(Input in) {
        return new ProfilerEvent(
                in.readLong(),
                in.readLong(),
                in.readString(),
                Instant.EPOCH.plusNanos(in.readLong()),
                Duration.ofNanos(in.readLong()),
                in.readInt(),
                in.readLong(),
                true,
                in.readInt() == DETACHED,
                shapes(in),
                in.readLong());
    }

    private static List<List<Integer>> shapes(Input in) {
        int count = in.readCount(in.remaining(), SHAPE_BYTES);
        List<List<Integer>> shapes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int dimensions = in.readCount(in.remaining(), DIMENSION_BYTES);
            List<Integer> shape = new ArrayList<>();
            for (int j = 0; j < dimensions; j++) {
                shape.add(in.readInt());
            }
            shapes.add(shape);
        }
        return shapes;
    }
}
