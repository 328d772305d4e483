package org.gradwire.bench.growth;

/** How much a figure may grow when its size grows. */
enum Bound {
    /** As the size does. */
    LINEAR("linear") {
        @Override
        double factor(double sizeFactor) {
            return sizeFactor;
        }
    },
    /** Not at all. */
    CONSTANT("constant") {
        @Override
        double factor(double sizeFactor) {
            return 1;
        }
    };

    private static final double NOISE = 1.5;

    private final String label;

    Bound(String label) {
        this.label = label;
    }

    /** {@return the factor by which a figure may grow, without noise} */
    abstract double factor(double sizeFactor);

    /** {@return whether a growth keeps this bound, give or take what noise does} */
    boolean allows(double sizeFactor, double growth) {
        return growth <= NOISE * factor(sizeFactor);
    }

    @Override
    public String toString() {
        return label;
    }
}
