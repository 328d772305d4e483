package org.gradwire.spi.device;

/** A device, its driver or one of its libraries refused or failed a call. */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String function;
    private final int code;
    private final String codeName;

    /**
     * Create an exception.
     *
     * @param function the driver's or library's function, such as {@code cuMemcpyHtoDAsync}
     * @param code its result
     * @param codeName the result's name, such as {@code CUDA_ERROR_ILLEGAL_ADDRESS}
     * @param problem what it means and what to do
     */
    public DeviceException(String function, int code, String codeName, String problem) {
        super("%s failed with %s (%d): %s".formatted(function, codeName, code, problem));
        this.function = function;
        this.code = code;
        this.codeName = codeName;
    }

    /** {@return the function that failed} */
    public String function() {
        return function;
    }

    /** {@return its result} */
    public int code() {
        return code;
    }

    /** {@return the name of the result} */
    public String codeName() {
        return codeName;
    }
}
