package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Kinds of buffers, and their plain allocator. */
class ElementKindTest {

    @ParameterizedTest
    @EnumSource
    void theKindOfABufferSurvivesItsCodeAndTheAllocator(ElementKind kind) {
        assertSame(kind, ElementKind.ofCode(kind.code()));
        MemorySegment segment = BufferAllocator.plain().allocate(kind, 24);
        assertEquals(24, segment.byteSize());
        assertSame(kind, ElementKind.of(segment));
        assertEquals(kind == ElementKind.RAW, segment.heapBase().isEmpty());
        assertEquals(0, BufferAllocator.plain().allocate(kind, 0).byteSize());
    }

    @Test
    void memoryThatIsNoKnownArrayIsRaw() {
        assertSame(ElementKind.RAW, ElementKind.of(MemorySegment.ofArray(new char[3])));
        assertSame(ElementKind.RAW, ElementKind.of(Arena.ofAuto().allocate(8)));
    }

    @Test
    void anUnknownCodeIsRefused() {
        for (int code : new int[] {-1, 7, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String text =
                    assertThrows(DecodingException.class, () -> ElementKind.ofCode(code))
                            .getMessage();
            assertEquals("unknown element kind " + code + "; known are 0 to 6", text);
        }
    }

    @Test
    void moreThanAnArrayCanHoldIsTooMuchMemory() {
        var failure =
                assertThrows(
                        OutOfMemoryError.class,
                        () -> BufferAllocator.plain().allocate(ElementKind.BYTE, 1L << 31));
        assertTrue(String.valueOf(failure.getMessage()).contains("2147483648 bytes"));
    }
}
