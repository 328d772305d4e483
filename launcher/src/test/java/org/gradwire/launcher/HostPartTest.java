package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.launcher.console.ExitStatus;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

class HostPartTest {

    private static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void firstLineHasTheTokenAndThePortAndNothingElseIsRead() throws IOException {
        InputStream input = input("mark token secret 29500\nrest");
        HostPart part = HostPart.read(input, "h1");
        assertEquals("tcp://h1:29500", part.rendezvous());
        assertEquals("mark", part.mark());
        assertEquals(Optional.of(new GroupToken.Text("secret")), part.groupToken());
        assertEquals("rest", new String(input.readAllBytes(), StandardCharsets.US_ASCII));
        assertTrue(!part.toString().contains("secret"), part.toString());
    }

    @Test
    void portZeroIsReplacedByOneThatIsFree() {
        HostPart part = HostPart.read(input("mark none  0\n"), "h1");
        assertTrue(part.port() > 0);
        assertEquals("tcp://h1:" + part.port(), part.rendezvous());
    }

    @Test
    void groupTokenComesWithTheCertificates() {
        HostPart part = HostPart.read(input("mark join invitation 29500\n"), "h1");
        assertEquals("invitation", part.secret());
        assertEquals(Optional.empty(), part.groupToken());
    }

    @Test
    void otherLinesAreRefusedWithoutTheirText() {
        var e =
                assertThrows(
                        LauncherException.class, () -> HostPart.read(input("my secret\n"), "h1"));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("both hosts need the same Gradwire"), message);
        assertTrue(!message.contains("my secret"), message);
        assertEquals(ExitStatus.BAD_USAGE, e.status());
    }

    @Test
    void endBeforeTheLineHasItsOwnExitCode() {
        var e = assertThrows(LauncherException.class, () -> HostPart.read(input("mark tok"), "h1"));
        assertEquals(ExitStatus.INPUT_ENDED, e.status());
    }
}
