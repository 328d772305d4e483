package org.gradwire.tensor.kernel.matrix;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A platform for which JavaCPP's presets have OpenBLAS. Its libraries find each other by their
 * place, so that it is enough to load the last one.
 *
 * @param name of the jar's classifier and of the folder in it, such as {@code linux-x86_64}
 * @param files the library last, after those it needs
 */
record BlasPlatform(String name, List<String> files) {
    private static final List<String> MAC =
            List.of(
                    "libgcc_s.1.1.dylib",
                    "libquadmath.0.dylib",
                    "libgfortran.5.dylib",
                    "libopenblas.0.dylib");

    private static final List<BlasPlatform> ALL =
            List.of(
                    new BlasPlatform(
                            "linux-x86_64",
                            List.of(
                                    "libgcc_s.so.1",
                                    "libquadmath.so.0",
                                    "libgfortran.so.5",
                                    "libopenblas.so.0")),
                    new BlasPlatform(
                            "linux-arm64",
                            List.of("libgcc_s.so.1", "libgfortran.so.5", "libopenblas.so.0")),
                    new BlasPlatform("macosx-arm64", MAC),
                    new BlasPlatform("macosx-x86_64", MAC),
                    new BlasPlatform("windows-x86_64", List.of("libopenblas.dll")));

    /** {@return the platform of a JVM; empty when there is no OpenBLAS for it} */
    static Optional<BlasPlatform> of(String osName, String osArch) {
        String name = system(osName.toLowerCase(Locale.ROOT)) + "-" + processor(osArch);
        return ALL.stream().filter(platform -> platform.name.equals(name)).findFirst();
    }

    private static String system(String osName) {
        return osName.startsWith("mac")
                ? "macosx"
                : osName.startsWith("windows") ? "windows" : osName;
    }

    private static String processor(String osArch) {
        return switch (osArch) {
            case "amd64" -> "x86_64";
            case "aarch64" -> "arm64";
            default -> osArch;
        };
    }

    /** {@return the names of all platforms, for an error's text} */
    static String names() {
        return String.join(", ", ALL.stream().map(BlasPlatform::name).toList());
    }

    /** {@return the library that has the functions} */
    String library() {
        return files.getLast();
    }

    /** {@return the name of the jar's module} */
    String module() {
        return "org.bytedeco.openblas." + name.replace('-', '.');
    }

    /** {@return the path of a file in the jar} */
    String resource(String file) {
        return "org/bytedeco/openblas/" + name + "/" + file;
    }
}
