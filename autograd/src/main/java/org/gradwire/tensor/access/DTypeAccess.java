package org.gradwire.tensor.access;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Layout;
import org.gradwire.tensor.kernel.element.Elements;
import org.jspecify.annotations.Nullable;

/**
 * The members of {@link DType} and {@link Layout} that only this module uses. Each method delegates
 * to the member of the same name.
 */
public final class DTypeAccess {
    private static @Nullable Members installed;

    /** Initialized at the first access, after {@link DType}. */
    private static final class Installed {
        static final Members MEMBERS = Initialization.members(DType.class, () -> installed);
    }

    private DTypeAccess() {}

    /** Called by the static initializer of {@link DType}. */
    public static void install(Members members) {
        installed = members;
    }

    /** Implemented by the package of {@link DType}. */
    public interface Members {
        <A> Elements<A> elements(DType dtype);

        DType of(Number number);

        double nearest(DType dtype, Number number);

        boolean isReduced(DType dtype);

        DType orFloating(DType dtype);

        DType opmath(DType dtype);

        DType ofSum(DType dtype);

        DType over(DType dtype, DType lesser);

        DType promote(DType dtype, Number scalar);

        String tensorType(DType dtype);

        String title(Layout layout);
    }

    public static <A> Elements<A> elements(DType dtype) {
        return Installed.MEMBERS.elements(dtype);
    }

    public static DType of(Number number) {
        return Installed.MEMBERS.of(number);
    }

    public static double nearest(DType dtype, Number number) {
        return Installed.MEMBERS.nearest(dtype, number);
    }

    public static boolean isReduced(DType dtype) {
        return Installed.MEMBERS.isReduced(dtype);
    }

    public static DType orFloating(DType dtype) {
        return Installed.MEMBERS.orFloating(dtype);
    }

    public static DType opmath(DType dtype) {
        return Installed.MEMBERS.opmath(dtype);
    }

    public static DType ofSum(DType dtype) {
        return Installed.MEMBERS.ofSum(dtype);
    }

    public static DType over(DType dtype, DType lesser) {
        return Installed.MEMBERS.over(dtype, lesser);
    }

    public static DType promote(DType dtype, Number scalar) {
        return Installed.MEMBERS.promote(dtype, scalar);
    }

    public static String tensorType(DType dtype) {
        return Installed.MEMBERS.tensorType(dtype);
    }

    public static String title(Layout layout) {
        return Installed.MEMBERS.title(layout);
    }
}
