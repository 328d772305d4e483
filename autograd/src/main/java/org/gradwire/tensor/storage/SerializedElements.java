package org.gradwire.tensor.storage;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/** Elements of a storage within the payload of a message, each as a number. */
final class SerializedElements {

    private SerializedElements() {}

    static void write(Object array, int from, int count, Output out) {
        for (int i = from; i < from + count; i++) {
            switch (array) {
                case float[] floats -> out.writeFloat(floats[i]);
                case double[] doubles -> out.writeDouble(doubles[i]);
                case int[] ints -> out.writeInt(ints[i]);
                case long[] longs -> out.writeLong(longs[i]);
                case short[] shorts -> out.writeInt(shorts[i]);
                case byte[] bytes -> out.writeBoolean(bytes[i] != 0);
                default -> throw new AssertionError("no element type has " + array.getClass());
            }
        }
    }

    /** Read elements into an array, and return it. */
    static Object read(Object array, int count, Input in) {
        for (int i = 0; i < count; i++) {
            switch (array) {
                case float[] floats -> floats[i] = in.readFloat();
                case double[] doubles -> doubles[i] = in.readDouble();
                case int[] ints -> ints[i] = in.readInt();
                case long[] longs -> longs[i] = in.readLong();
                case short[] shorts -> shorts[i] = bits(in.readInt());
                case byte[] bytes -> bytes[i] = (byte) (in.readBoolean() ? 1 : 0);
                default -> throw new AssertionError("no element type has " + array.getClass());
            }
        }
        return array;
    }

    private static short bits(int number) {
        if (number != (short) number) {
            throw new DecodingException(
                    number + " is not an element of 16 bits: those are from -32768 to 32767");
        }
        return (short) number;
    }
}
