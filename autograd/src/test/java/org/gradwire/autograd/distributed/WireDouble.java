package org.gradwire.autograd.distributed;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A payload in memory: the items that a codec has written, in order; tests may change them. */
final class WireDouble {
    final List<Object> items = new ArrayList<>();
    final List<Object> notes = new ArrayList<>();
    int released;
    int peer = Output.NOWHERE; // id of the worker at the other end

    Output output() {
        return new Writer();
    }

    Input input() {
        return new Reader();
    }

    private final class Writer implements Output {
        @Override
        public void writeBoolean(boolean value) {
            items.add(value);
        }

        @Override
        public void writeInt(int value) {
            items.add(value);
        }

        @Override
        public void writeLong(long value) {
            items.add(value);
        }

        @Override
        public void writeFloat(float value) {
            items.add(value);
        }

        @Override
        public void writeDouble(double value) {
            items.add(value);
        }

        @Override
        public void writeString(String value) {
            items.add(value);
        }

        @Override
        public void writeBytes(byte[] value) {
            items.add(value);
        }

        @Override
        public void writeValue(@Nullable Object value) {
            throw new AssertionError("a tensor holds no values: " + value);
        }

        @Override
        public void writeBuffer(MemorySegment buffer, @Nullable Runnable onRelease) {
            byte[] bytes = buffer.toArray(ValueLayout.JAVA_BYTE);
            items.add(bytes);
            if (onRelease != null) {
                onRelease.run();
                released++;
            }
        }

        @Override
        public int destination() {
            return peer;
        }

        @Override
        public boolean isReply() {
            return false;
        }

        @Override
        public <T> void attach(Class<T> kind, T object) {
            notes.add(object);
        }

        @Override
        public <T> List<T> attached(Class<T> kind) {
            return notes.stream().map(kind::cast).toList();
        }
    }

    private final class Reader implements Input {
        private int next;

        private <T> T next(Class<T> type) {
            return type.cast(items.get(next++));
        }

        @Override
        public boolean readBoolean() {
            return next(Boolean.class);
        }

        @Override
        public int readInt() {
            return next(Integer.class);
        }

        @Override
        public long readLong() {
            return next(Long.class);
        }

        @Override
        public float readFloat() {
            return next(Float.class);
        }

        @Override
        public double readDouble() {
            return next(Double.class);
        }

        @Override
        public String readString() {
            return next(String.class);
        }

        @Override
        public byte[] readBytes() {
            return next(byte[].class);
        }

        @Override
        public @Nullable Object readValue() {
            throw new AssertionError("a tensor holds no values");
        }

        @Override
        public MemorySegment readBuffer() {
            return MemorySegment.ofArray(next(byte[].class));
        }

        @Override
        public int remaining() {
            return items.size() - next;
        }

        @Override
        public int source() {
            return Math.max(peer, 0);
        }

        @Override
        public <T> void attach(Class<T> kind, T object) {
            notes.add(object);
        }

        @Override
        public <T> List<T> attached(Class<T> kind) {
            return notes.stream().map(kind::cast).toList();
        }
    }
}
