package org.gradwire.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import java.util.Set;

/**
 * Slices for the rule about cycles of packages: each package is one, except those around {@code
 * Tensor}. A tensor has the operators as methods, and their rows and rules compute with tensors, so
 * these packages form a cycle. They count as one slice: no other package may join the cycle.
 */
final class PackageSlices implements SliceAssignment {
    private static final Set<String> AROUND_TENSOR =
            Set.of(
                    "org.gradwire.autograd",
                    "org.gradwire.tensor",
                    "org.gradwire.tensor.access",
                    "org.gradwire.tensor.operator",
                    "org.gradwire.tensor.operator.sample",
                    "org.gradwire.tensor.rule",
                    "org.gradwire.tensor.rule.convolution",
                    "org.gradwire.tensor.rule.device",
                    "org.gradwire.tensor.sparse",
                    "org.gradwire.tensor.storage",
                    "org.gradwire.tensor.text");

    @Override
    public String getDescription() {
        return "packages";
    }

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
        String name = type.getPackageName();
        if (!name.startsWith("org.gradwire.")) {
            return SliceIdentifier.ignore();
        }
        return SliceIdentifier.of(AROUND_TENSOR.contains(name) ? "org.gradwire.tensor" : name);
    }
}
