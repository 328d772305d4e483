package org.gradwire.spi.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

class CodePathTest {

    /** A loader whose classes are in its unnamed module, like classes of the class path. */
    private static final class Loader extends ClassLoader {
        Class<?> define() throws IOException {
            try (InputStream file = getClass().getResourceAsStream("CodePathTest.class")) {
                byte[] bytes = Objects.requireNonNull(file).readAllBytes();
                return defineClass(CodePathTest.class.getName(), bytes, 0, bytes.length);
            }
        }
    }

    @Test
    void ofAClassInAModule() {
        CodePath path = CodePath.of(String.class);
        assertEquals("put it on the module path", "put it on the " + path);
        assertEquals("public, in an exported package", "public" + path.inExportedPackage());
    }

    @Test
    void ofAClassOutsideOfModules() throws IOException {
        CodePath path = CodePath.of(new Loader().define());
        assertEquals("put it on the class path", "put it on the " + path);
        assertEquals("public", "public" + path.inExportedPackage());
    }
}
