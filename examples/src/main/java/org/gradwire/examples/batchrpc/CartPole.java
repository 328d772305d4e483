package org.gradwire.examples.batchrpc;

import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;

/**
 * The cart-pole problem: a pole on a cart, balanced by pushes to the left or the right. Equations
 * by Barto, Sutton and Anderson (1983).
 */
final class CartPole {
    private static final double GRAVITY = 9.8;
    private static final double POLE_MASS = 0.1;
    private static final double MASS = 1 + POLE_MASS;
    private static final double HALF_LENGTH = 0.5;
    private static final double FORCE = 10;
    private static final double SECONDS = 0.02; // of a step
    private static final double MAX_POSITION = 2.4;
    private static final double MAX_ANGLE = Math.toRadians(12);

    private final SplittableRandom random;
    private double position;
    private double speed;
    private double angle;
    private double turning;

    /** Create a cart with a nearly upright pole; a seed decides its angle, also after each fall. */
    CartPole(long seed) {
        random = new SplittableRandom(seed);
        standUp();
    }

    private void standUp() {
        position = nearlyZero();
        speed = nearlyZero();
        angle = nearlyZero();
        turning = nearlyZero();
    }

    private double nearlyZero() {
        return random.nextDouble(-0.05, 0.05);
    }

    /** {@return position, speed, angle and angular speed, of shape (4), float64} */
    Tensor state() {
        return Tensor.of(position, speed, angle, turning);
    }

    /**
     * Push the cart.
     *
     * @param action 0: to the left, 1: to the right
     * @return whether the pole fell or the cart left its track, after which both are reset
     */
    boolean step(int action) {
        double force = action == 1 ? FORCE : -FORCE;
        double push =
                (force + POLE_MASS * HALF_LENGTH * turning * turning * Math.sin(angle)) / MASS;
        double swing =
                (GRAVITY * Math.sin(angle) - Math.cos(angle) * push)
                        / (HALF_LENGTH
                                * (4.0 / 3 - POLE_MASS * Math.pow(Math.cos(angle), 2) / MASS));
        double acceleration = push - POLE_MASS * HALF_LENGTH * swing * Math.cos(angle) / MASS;
        position += SECONDS * speed;
        speed += SECONDS * acceleration;
        angle += SECONDS * turning;
        turning += SECONDS * swing;
        boolean fell = Math.abs(position) > MAX_POSITION || Math.abs(angle) > MAX_ANGLE;
        if (fell) {
            standUp();
        }
        return fell;
    }
}
