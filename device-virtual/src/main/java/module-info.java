/**
 * Devices for tests: {@code cuda:0} to {@code cuda:3}, in ordinary memory that only their kernels
 * and copies reach. Nothing is exported; the module only has to be on the path.
 *
 * @provides org.gradwire.spi.device.DeviceProvider
 */
module org.gradwire.device.virtual {
    requires org.gradwire.spi;
    requires static org.jspecify;

    provides org.gradwire.spi.device.DeviceProvider with
            org.gradwire.device.virtual.VirtualDevices;
}
