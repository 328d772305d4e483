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
 * Gives each test a fresh group of workers, {@code worker0}, {@code worker1} and so on, in the JVM
 * of the tests.
 *
 * <p>On a class it is for all its tests and those of its nested classes; the one on a method, or on
 * a nested class, replaces that of its class. The group is there before the methods marked
 * {@code @BeforeEach} run, and until those marked {@code @AfterEach} have run. Parameters of all
 * these methods may be:
 *
 * <ul>
 *   <li>{@link Rpc}: worker 0, or the one that {@link Worker} names;
 *   <li>{@code List<Rpc>}: all workers, by rank;
 *   <li>{@link Workers}: the group.
 * </ul>
 *
 * <p>When a test has passed, its group must come to rest with nothing left: no call under way, no
 * reference that was not closed, no autograd context. What is left fails the test; references are
 * named with the lines that made them. Then all workers leave together. After a test that failed
 * they are stopped at once.
 *
 * <p>Where faults or orders are drawn from a seed, it is another one for each test. The failure of
 * a test names it, as the property to set to see the same again: {@code -Dgradwire-junit.seed=N},
 * or the configuration parameter of JUnit of this name.
 *
 * <p>Groups of tests that run in parallel do not touch one another.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(GradwireExtension.class)
@SuppressWarnings("exports") // JUnit makes the extension, and nobody else names it
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
     * {@return settings of all workers, such as {@code "gradwire.rpc-timeout=5s"}, one in each
     * text}
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
     * {@return how long the group may take to come together, and again to come to rest, and to
     * leave, in seconds; real ones, but simulated ones for coming to rest in simulated time}
     */
    int timeoutSeconds() default 30;

    /** {@return whether what a test leaves open fails it} */
    boolean checkLeaks() default true;
}
