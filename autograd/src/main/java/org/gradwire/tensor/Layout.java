package org.gradwire.tensor;

/** Memory layout of a tensor. */
public enum Layout {
    /** All elements, at places that strides give: the usual one, called dense. */
    STRIDED("torch.strided", "Strided"),
    /**
     * Only some elements, each with its coordinates; the others are zero. See {@link
     * Tensor#sparseCoo}.
     */
    SPARSE_COO("torch.sparse_coo", "Sparse");

    private final String text;
    private final String title;

    Layout(String text, String title) {
        this.text = text;
        this.title = title;
    }

    /** {@return PyTorch's name in messages} */
    String title() {
        return title;
    }

    /** {@return PyTorch's name: {@code torch.sparse_coo}} */
    @Override
    public String toString() {
        return text;
    }
}
