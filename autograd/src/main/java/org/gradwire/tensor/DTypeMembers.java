package org.gradwire.tensor;

import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.kernel.element.Elements;

/** The members that {@link DTypeAccess} exposes to this module's other packages. */
final class DTypeMembers implements DTypeAccess.Members {
    @Override
    public <A> Elements<A> elements(DType dtype) {
        return dtype.elements();
    }

    @Override
    public DType of(Number number) {
        return DType.of(number);
    }

    @Override
    public double nearest(DType dtype, Number number) {
        return dtype.nearest(number);
    }

    @Override
    public boolean isReduced(DType dtype) {
        return dtype.isReduced();
    }

    @Override
    public DType orFloating(DType dtype) {
        return dtype.orFloating();
    }

    @Override
    public DType opmath(DType dtype) {
        return dtype.opmath();
    }

    @Override
    public DType ofSum(DType dtype) {
        return dtype.ofSum();
    }

    @Override
    public DType over(DType dtype, DType lesser) {
        return dtype.over(lesser);
    }

    @Override
    public DType promote(DType dtype, Number scalar) {
        return dtype.promote(scalar);
    }

    @Override
    public String tensorType(DType dtype) {
        return dtype.tensorType();
    }

    @Override
    public String title(Layout layout) {
        return layout.title();
    }
}
