package test.programs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A worker's program that performs one step for each argument. {@code 1@exit=3} is for rank 1 only,
 * {@code 1@0#exit=3} only for its process after 0 restarts.
 */
final class Steps {
    private Steps() {}

    static void main(String[] args) throws Exception {
        String rank = System.getenv("GRADWIRE_RANK");
        for (String arg : args) {
            String[] parts = arg.split("(?<=^\\d)@", 2);
            if (parts.length == 1 || parts[0].equals(rank)) {
                ofProcess(parts[parts.length - 1]);
            }
        }
    }

    private static void ofProcess(String step) throws Exception {
        String[] parts = step.split("(?<=^\\d)#", 2);
        if (parts.length == 1 || parts[0].equals(System.getenv("GRADWIRE_RESTART"))) {
            step(parts[parts.length - 1]);
        }
    }

    private static void step(String step) throws Exception {
        String[] parts = step.split("=", 2);
        String value = parts.length > 1 ? parts[1] : "";
        switch (parts[0]) {
            case "out" -> System.out.println(value);
            case "err" -> System.err.println(value);
            case "raw" -> raw(value);
            case "flood" -> flood(Integer.parseInt(value));
            case "env" -> System.out.println(value + "=" + System.getenv(value));
            case "ready" -> Files.createFile(Path.of(System.getenv("GRADWIRE_READY_FILE")));
            case "left" -> {
                Path ready = Path.of(System.getenv("GRADWIRE_READY_FILE"));
                Files.move(ready, ready.resolveSibling(ready.getFileName() + ".left"));
            }
            case "pid" -> System.out.println("pid " + ProcessHandle.current().pid());
            case "stdin" -> System.out.println("stdin " + System.in.read());
            case "exit" -> System.exit(Integer.parseInt(value));
            case "fail" -> throw new IllegalStateException(value);
            case "say-goodbye" -> atExit(() -> System.out.println("goodbye"));
            case "never-end" -> atExit(Steps::waitForever);
            case "start" -> start(List.of(value.split(" ")));
            case "wait" -> waitForever();
            default -> throw new IllegalArgumentException(step);
        }
    }

    /** Write bytes as they are; {@code \n}, {@code \r} stand for line feed and carriage return. */
    private static void raw(String text) throws IOException {
        String meant = text.replace("\\n", "\n").replace("\\r", "\r");
        System.out.write(meant.getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private static void flood(int lines) {
        String filler = "åßç✓🙂".repeat(40);
        for (int i = 0; i < lines; i++) {
            System.out.println("out " + i + " " + filler + " end");
            System.err.println("err " + i + " " + filler + " end");
        }
    }

    private static void start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        System.out.println("started " + builder.start().pid());
    }

    private static void atExit(Runnable task) {
        Runtime.getRuntime().addShutdownHook(new Thread(task));
    }

    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
