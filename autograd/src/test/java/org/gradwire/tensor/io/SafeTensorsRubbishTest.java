package org.gradwire.tensor.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Malformed files; each is refused with a description of the expected format. */
class SafeTensorsRubbishTest {
    @TempDir private Path folder;

    private Path file() {
        return folder.resolve("rubbish.safetensors");
    }

    private Path write(byte[] header, int dataBytes) throws IOException {
        var bytes =
                ByteBuffer.allocate(8 + header.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(header.length).put(header);
        return Files.write(file(), bytes.array());
    }

    private String problem(byte[] header, int dataBytes) throws IOException {
        return problem(write(header, dataBytes));
    }

    private String problem(String header, int dataBytes) throws IOException {
        return problem(header.replace('\'', '"').getBytes(StandardCharsets.UTF_8), dataBytes);
    }

    /** Return the error's text after the file's name, with which it must begin. */
    private static String problem(Path file) {
        var e = assertThrows(SafeTensorsException.class, () -> SafeTensors.open(file));
        String message = String.valueOf(e.getMessage());
        String prefix = file + ": ";
        assertEquals(prefix, message.substring(0, Math.min(prefix.length(), message.length())));
        return message.substring(prefix.length());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void filesWithoutALengthAreRefused(int length) throws IOException {
        assertEquals(
                "it has %d bytes; expected at least 8, the length of the header".formatted(length),
                problem(Files.write(file(), new byte[length])));
    }

    @ParameterizedTest
    @CsvSource({"100000001,100000001", "-1,18446744073709551615"})
    void headersOfMoreThan100MegabytesAreRefused(long length, String said) throws IOException {
        var bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(length);
        assertEquals(
                "its header has %s bytes; expected at most 100000000, so this is not a safetensors file"
                        .formatted(said),
                problem(Files.write(file(), bytes.array())));
    }

    @Test
    void headersThatAreCutOffAreRefused() throws IOException {
        var bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(9);
        assertEquals(
                "its header has 9 bytes, but only 8 follow; the file was cut off",
                problem(Files.write(file(), bytes.array())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " {}", "[]", "\u0000"})
    void headersThatBeginOtherwiseAreRefused(String header) throws IOException {
        assertEquals(
                "its header does not begin with '{', so this is not a safetensors file",
                problem(header, 0));
    }

    @Test
    void headersThatAreNotUtf8AreRefused() throws IOException {
        assertEquals(
                "its header is not UTF-8", problem(new byte[] {'{', '"', (byte) 0xff, '"'}, 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{                                        | end-of-input | 1",
                "{}x                                      | Unrecognized token 'x' | 2",
                "{'a' 1}                                  | a colon | 5",
                "{'a':1}                                  | expected an object, found VALUE_NUMBER_INT | 5",
                "{'a                                      | end-of-input | 3",
                "{'a\\x                                   | character escape 'x' | 4",
                "{'\\u00g0':1}                            | a hex-digit | 6",
                "{'\\ud83d':1}                            | surrogate | 8",
                "{'\\ude00':1}                            | surrogate | 8",
                "{'a':{'shape':[1,]}}                     | a valid value | 17",
                "{'a':{'shape':[-1]}}                     | expected an integer from 0 on, found VALUE_NUMBER_INT | 15",
                "{'a':{'shape':[01]}}                     | Leading zeroes | 16",
                "{'a':{'shape':[1.0]}}                    | expected an integer from 0 on, found VALUE_NUMBER_FLOAT | 15",
                "{'a':{'shape':[[1]]}}                    | nesting depth | 0",
                "{'a':{'shape':[9223372036854775808]}}    | out of range of `long` | 34",
                "{'a':{'shape':1}}                        | expected a list of integers, found VALUE_NUMBER_INT | 14",
                "{'__metadata__':{},}                     | double-quote | 19",
                "{'__metadata__':{'a':1}}                 | expected a text, found VALUE_NUMBER_INT | 21",
                "{'k':{'dtype':'F32','shape':[0],'data_offsets':[0,0]},'k':{}} | Duplicate Object property \"k\" | 57",
                "{'a':{'dtype':'F32','dtype':'F32'}}      | Duplicate Object property \"dtype\" | 27",
                "{'__metadata__':{'k':'1','k':'1'}}       | Duplicate Object property \"k\" | 28",
                "{'__metadata__':{},'__metadata__':{}}    | Duplicate Object property \"__metadata__\" | 33",
                "{'a':{'dtype':null}}                     | expected a text, found VALUE_NULL | 14"
            })
    void headersThatAreNotJsonOfTheFormatAreRefused(String header, String said, int at)
            throws IOException {
        String problem = problem(header, 0);
        String begin = "the header is not the JSON of a safetensors file: ";
        assertTrue(problem.startsWith(begin) && problem.contains(said), problem);
        assertTrue(problem.endsWith(", at character " + at), problem);
    }

    @Test
    void controlCharactersInTextsAreRefused() throws IOException {
        String problem = problem("{'\n':1}", 0);
        assertTrue(problem.contains("(CTRL-CHAR, code 10)"), problem);
    }

    @Test
    void unknownFieldsAreRefused() throws IOException {
        assertEquals(
                "tensor 'a' has the field 'stride'; expected dtype, shape and data_offsets",
                problem("{'a':{'stride':[1]}}", 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{}                                                 | dtype null, shape null and data_offsets null",
                "{'dtype':'F32','shape':[]}                         | dtype F32, shape [] and data_offsets null",
                "{'dtype':'F32','shape':[],'data_offsets':[0,4,8]}  | dtype F32, shape [] and data_offsets [0, 4, 8]"
            })
    void fieldsThatAreMissingAreNamed(String entry, String said) throws IOException {
        assertEquals(
                "tensor 'a' has %s; expected a text, a list and a list of two numbers"
                        .formatted(said),
                problem("{'a':" + entry + "}", 0));
    }

    private static String tensor(String name, String dtype, String shape, long begin, long end) {
        return "'%s':{'dtype':'%s','shape':%s,'data_offsets':[%d,%d]}"
                .formatted(name, dtype, shape, begin, end);
    }

    @ParameterizedTest
    @CsvSource({"4,12,8", "9,17,8", "0,8,8"})
    void gapsAndOverlapsAreRefused(long begin, long end, long expected) throws IOException {
        String header =
                "{"
                        + tensor("b", "F32", "[2]", begin, end)
                        + ","
                        + tensor("a", "F32", "[2]", 0, 8)
                        + "}";
        String second = begin == 0 ? "a" : "b";
        assertEquals(
                "tensor '%s' has data_offsets [%d, %d]; expected to begin at %d, where the tensor before it ends"
                        .formatted(second, begin, end, expected),
                problem(header, 32));
    }

    @Test
    void endsBeforeBeginningsAreRefused() throws IOException {
        assertEquals(
                "tensor 'a' has data_offsets [8, 0]; expected to begin at 0, where the tensor before it ends",
                problem("{" + tensor("a", "F32", "[2]", 8, 0) + "}", 8));
    }

    @ParameterizedTest
    @CsvSource({"7", "9", "0"})
    void filesWhoseBytesDoNotFitTheHeaderAreRefused(int bytes) throws IOException {
        assertEquals(
                "its tensors have 8 bytes, but %d follow the header; the file was cut off, or something was added"
                        .formatted(bytes),
                problem("{" + tensor("a", "F32", "[2]", 0, 8) + "}", bytes));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "F32;[3];8;4",
                "F32;[2];7;4",
                "F64;[2];8;8",
                "F16;[2];8;2",
                "F32;[0];8;4",
                "F32;[];8;4",
                "F32;[4294967296,4294967296,2];8;4",
                "F32;[2];0;4"
            })
    void byteCountsThatDoNotFitTheShapeAreRefused(String dtype, String shape, int bytes, int size)
            throws IOException {
        assertEquals(
                "tensor 'a' has %d bytes; expected %d for each element of shape %s"
                        .formatted(bytes, size, shape.replace(",", ", ")),
                problem("{" + tensor("a", dtype, shape, 0, bytes) + "}", bytes));
    }

    @Test
    void shapesBeyondOursAreRefused() throws IOException {
        assertEquals(
                "tensor 'a' has shape [4294967296, 0]; tensors of at most 2147483647 elements can be read",
                problem("{" + tensor("a", "F32", "[4294967296,0]", 0, 0) + "}", 0));
    }

    @Test
    void spaceIsAllowedBetweenAndAfterTheParts() throws IOException {
        String header =
                "{ 'a' :\t{ 'dtype' : 'F32' , 'shape' : [ 1 , 1 ] ,\n 'data_offsets' : [ 0 , 4 ] } , '__metadata__' : { } } \r\n";
        var opened =
                SafeTensors.open(
                        write(header.replace('\'', '"').getBytes(StandardCharsets.UTF_8), 4));
        assertEquals(Map.of(), opened.metadata());
        assertArrayEquals(new int[] {1, 1}, opened.tensor("a").shape());
    }

    /** The header is not padded, so the bytes of the tensor are not aligned to floats. */
    @Test
    void tensorsThatAreNotAlignedAreReadAsCopies() throws IOException {
        for (String name : new String[] {"a", "ab", "abc", "abcd"}) {
            String header = "{" + tensor(name, "F32", "[2]", 0, 8) + "}";
            byte[] text = header.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            var bytes = ByteBuffer.allocate(16 + text.length).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putLong(text.length).put(text).putFloat(1.5f).putFloat(-2);
            Files.write(file(), bytes.array());
            var opened = SafeTensors.open(file());
            assertArrayEquals(new float[] {1.5f, -2}, opened.tensor(name).toFloatArray());
            assertArrayEquals(new float[] {1.5f, -2}, opened.tensor(name).add(0).toFloatArray());
        }
    }
}
