package org.gradwire.nn.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.rpc.WireValue;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.stream.Stream;

/** The texts for the peer and for the log about a refused name. */
@SuppressWarnings("gradwire") // marked classes that are out of reach
class ModuleTypesTest {
    private static final Map<String, Class<?>> MARKED =
            Map.of(
                    "Linear", Linear.class,
                    "Plain", Plain.class,
                    "Unmarked", Unmarked.class,
                    "Marked", Marked.class);

    private final List<String> lines = new ArrayList<>();
    private final ModuleTypes types =
            new ModuleTypes(name -> Optional.ofNullable(MARKED.get(name)), new Log());

    /** No module. */
    @WireValue
    record Plain() {}

    static class Unmarked extends Module {}

    @WireValue
    static class Marked extends Module {}

    private final class Log implements System.Logger {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String message,
                @Nullable Throwable thrown) {
            lines.add(level + ": " + message);
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object... params) {
            lines.add(level + ": " + format);
        }
    }

    private String refusal(String name, int peer) {
        return String.valueOf(
                assertThrows(DecodingException.class, () -> types.find(name, peer)).getMessage());
    }

    @Test
    void whyAClassIsRefusedIsLoggedAndNotToldToThePeer() {
        assertEquals(Linear.class, types.find("Linear", 1));
        List<String> told =
                Stream.of("Plain", "Unmarked", "Marked", "Nothing")
                        .map(name -> refusal(name, name.length()).replace(name, "NAME"))
                        .distinct()
                        .toList();
        assertEquals(
                List.of(
                        "a peer sent a module of NAME, which is not a module that this worker accepts: a public WireModule marked @WireValue and, if it is in a module, in an exported package"),
                told);
        assertEquals(
                List.of(
                        "WARNING: worker 5 sent a module of Plain, which is refused: it is not a subclass of Module",
                        "WARNING: worker 8 sent a module of Unmarked, which is refused: it is not marked @WireValue; mark it and let it implement WireModule",
                        "WARNING: worker 6 sent a module of Marked, which is refused: it does not implement WireModule, and so cannot be made again",
                        "WARNING: worker 7 sent a module of Nothing, which is refused: there is no such marked class"),
                lines);
    }

    @Test
    void namesAreLoggedEscapedAndAtALimitedRate() {
        for (int i = 0; i < 100; i++) {
            refusal("a\nb", 3);
        }
        assertEquals(
                List.of(
                        "WARNING: worker 3 sent a module of a\\u000ab, which is refused: there is no such marked class"),
                lines);
    }
}
