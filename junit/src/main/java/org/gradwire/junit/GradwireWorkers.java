package org.gradwire.junit;

import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Starts a fresh group of workers for each test, {@code worker0}, {@code worker1} and so on, in the
 * JVM of the tests.
 *
 * <p>On a class it applies to all its tests and those of its nested classes; an annotation on a
 * method, or on a nested class, replaces that of its class. The group exists before the methods
 * marked {@code @BeforeEach} run, and until those marked {@code @AfterEach} have run. Parameters of
 * all these methods may be:
 *
 * <ul>
 *   <li>{@link Rpc}: worker 0, or the one that {@link Worker} names;
 *   <li>{@code List<Rpc>}: all workers, by rank;
 *   <li>{@link Workers}: the group.
 * </ul>
 *
 * <p>After a test has passed, its group must become quiescent without open resources: no call in
 * flight, no unclosed reference, no autograd context. An open resource fails the test; references
 * are reported with their creation sites. Then all workers leave together. After a failed test they
 * are stopped immediately.
 *
 * <p>If faults or orders are drawn from a seed, each test has a different one. The failure of a
 * test names it, as the property that replays the run: {@code -Dgradwire-junit.seed=N}, also a
 * configuration parameter of JUnit.
 *
 * <p>Groups of tests that run in parallel are independent.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(GradwireExtension.class)
@SuppressWarnings("exports") // only JUnit creates the extension
public @interface GradwireWorkers {

    /** {@return the number of workers, at least 1} */
    int value();

    /**
     * {@return the name of the backend} The jar of any other than {@code inproc} must be on the
     * path of the tests. {@code faulty} wraps {@code inproc} unless {@link #settings} say
     * otherwise.
     */
    String backend() default "inproc";

    /**
     * {@return settings of all workers, one in each text, such as {@code
     * "gradwire.rpc-timeout=5s"}}
     */
    String[] settings() default {};

    /**
     * {@return whether the group runs in simulated time} It jumps from one event to the next, and
     * the order of messages is drawn from the seed. Only {@code inproc}, and {@code faulty} around
     * it, can be simulated. The test makes its calls on its own thread.
     */
    boolean simulated() default false;

    /**
     * {@return the seed, such as {@code seed = 7}, of simulated time and of the backend {@code
     * faulty}; none means a random one for each test}
     */
    int[] seed() default {};

    /**
     * {@return the timeout of the group's start, of its quiescence and of its shutdown, each in
     * seconds} They are real seconds, except for quiescence in simulated time.
     */
    int timeoutSeconds() default 30;

    /** {@return whether what a test leaves open fails it} */
    boolean checkLeaks() default true;
}
