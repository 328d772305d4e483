/**
 * Devices for tests: {@code cuda:0} to {@code cuda:3}, in ordinary memory, but with an address
 * space each. A kernel that runs for one of them and touches the memory of another, and host code
 * that touches any, fails. Nothing is exported: the devices are there when the module is.
 *
 * @provides org.gradwire.spi.DeviceProvider
 */
module org.gradwire.device.virtual {
    requires org.gradwire.spi;
    requires static org.jspecify;

    provides org.gradwire.spi.DeviceProvider with
            org.gradwire.device.virtual.VirtualDevices;
}
