package hosts.programs;

import java.util.Base64;
import java.util.concurrent.CountDownLatch;

/**
 * Prints its rank, environment and arguments. Then it ends; with the first argument {@code wait} it
 * waits for its end, and with {@code fail} the worker whose rank is the second argument ends with
 * the exit code that is the third.
 */
public final class Probe {
    private Probe() {}

    /** Run the program. */
    public static void main(String[] args) throws InterruptedException {
        System.out.printf(
                "%s of %s with %s, added %s%n",
                System.getenv("GRADWIRE_RANK"),
                System.getenv("GRADWIRE_WORLD_SIZE"),
                System.getenv("GRADWIRE_CERTIFICATE") == null ? "a token" : "a certificate",
                encoded(String.valueOf(System.getenv("ADDED"))));
        System.err.println("error of " + System.getenv("GRADWIRE_RANK"));
        for (String argument : args) {
            System.out.println("argument " + encoded(argument));
        }
        if (args.length > 0 && args[0].equals("fail")) {
            if (args[1].equals(System.getenv("GRADWIRE_RANK"))) {
                System.exit(Integer.parseInt(args[2]));
            }
            new CountDownLatch(1).await();
        }
        if (args.length > 0 && args[0].equals("wait")) {
            System.out.println("waiting");
            new CountDownLatch(1).await();
        }
    }

    private static String encoded(String text) {
        return Base64.getEncoder()
                .encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
