package org.gradwire.runtime.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gradwire.rpc.WireValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;

/** A temporary lack of file descriptors does not hide a class permanently. */
class ListedClassTest {

    /** A marked class. */
    @WireValue
    record Marked(int value) {}

    private static final class FailingOrigin implements ListedClass.Origin {
        private boolean fails = true;
        private int loads;

        @Override
        public @Nullable InputStream open(String path) throws IOException {
            if (fails) {
                throw new IOException("Too many open files");
            }
            return ListedClassTest.class.getClassLoader().getResourceAsStream(path);
        }

        @Override
        public Class<?> load(String name) throws ClassNotFoundException {
            loads++;
            if (loads == 1) {
                throw new NoClassDefFoundError("Too many open files");
            }
            return Class.forName(name);
        }
    }

    @Test
    void aClassThatCouldNotBeReadIsFoundLater() {
        var origin = new FailingOrigin();
        var listed = new ListedClass(Marked.class.getName(), origin);
        assertNull(listed.loadIfMarked(_ -> null));
        origin.fails = false;
        assertNull(listed.loadIfMarked(_ -> null), "the class loader fails too, once");
        assertSame(Marked.class, listed.loadIfMarked(_ -> null));
        assertSame(Marked.class, listed.loadIfMarked(_ -> null));
        assertEquals(2, origin.loads);
    }
}
