package org.gradwire.runtime.standby;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class StandbyTest {
    private static final List<String> RUNS = new ArrayList<>();

    static final class WithArguments {
        public static void main(String[] args) {
            RUNS.add("static " + String.join(",", args));
        }
    }

    static class OfInstance {
        void main() {
            RUNS.add("instance");
        }
    }

    static final class Inherited extends OfInstance {}

    static final class Failing {
        public static void main(String[] args) throws IOException {
            if (args.length > 0) {
                throw new IOException("no " + args[0]);
            }
        }
    }

    static final class WithoutMain {
        void main(int number) {
            RUNS.add("number " + number);
        }
    }

    private static Assignment assignment(String text) throws IOException {
        return Assignment.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Program program(Class<?> type) {
        return Program.of(type);
    }

    @Test
    void assignmentHasTheSettingsOfAWorker() throws Exception {
        assertEquals(
                Map.of("gradwire.ready-file", "/a b", "gradwire.rank", "3"),
                assignment("GRADWIRE_READY_FILE=/a b\nGRADWIRE_RANK=3\n").settings());
        assertTrue(assignment("#\n").isEmpty());
    }

    @Test
    void unknownSettingIsRefused() {
        var failure =
                assertThrows(RpcConfigurationException.class, () -> assignment("GRADWIRE_ODD=1\n"));
        assertTrue(failure.getMessage().contains("GRADWIRE_ODD"), failure.getMessage());
    }

    @Test
    void programRunsAsJavaWouldStartIt() throws Exception {
        RUNS.clear();
        program(WithArguments.class).run(new String[] {"a", "b"});
        program(OfInstance.class).run(new String[0]);
        program(Inherited.class).run(new String[0]);
        assertEquals(List.of("static a,b", "instance", "instance"), RUNS);
    }

    @Test
    void failureOfTheProgramIsThrown() {
        var failure =
                assertThrows(
                        IOException.class, () -> program(Failing.class).run(new String[] {"disk"}));
        assertEquals("no disk", failure.getMessage());
    }

    @Test
    void classWithoutMainIsRefused() {
        assertThrows(RpcConfigurationException.class, () -> program(WithoutMain.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.base/no.Such", "no.module/a.B", "java.lang.String", ""})
    void missingProgramIsRefused(String target) {
        var failure = assertThrows(RpcConfigurationException.class, () -> Program.find(target));
        assertTrue(failure.getMessage().contains(target), failure.getMessage());
    }
}
