package org.gradwire.bench.growth;

/** The allowed growth of a metric with its size. */
enum GrowthBound {
    /** Linear growth. */
    LINEAR("linear") {
        @Override
        double factor(double sizeFactor) {
            return sizeFactor;
        }
    },
    /** No growth. */
    CONSTANT("constant") {
        @Override
        double factor(double sizeFactor) {
            return 1;
        }
    };

    private static final double NOISE = 1.5;

    private final String label;

    GrowthBound(String label) {
        this.label = label;
    }

    /** {@return the factor by which a metric may grow, without noise} */
    abstract double factor(double sizeFactor);

    /** {@return whether a growth is within this bound, allowing for noise} */
    boolean allows(double sizeFactor, double growth) {
        return growth <= NOISE * factor(sizeFactor);
    }

    @Override
    public String toString() {
        return label;
    }
}
