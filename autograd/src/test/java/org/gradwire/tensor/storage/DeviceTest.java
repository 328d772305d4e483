package org.gradwire.tensor.storage;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DeviceProvider;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Names of devices, and which there are. */
@NeedsDevices
class DeviceTest {

    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    @ParameterizedTest
    @CsvSource({
        "cpu, cpu, 0, cpu",
        "cpu:0, cpu, 0, cpu",
        "cuda, cuda, 0, cuda:0",
        "cuda:0, cuda, 0, cuda:0",
        "cuda:13, cuda, 13, cuda:13"
    })
    void namesAreRead(String text, String type, int index, String written) {
        Device device = Device.parse(text);
        assertEquals(new Device(type, index), device);
        assertEquals(written, device.toString());
        assertEquals(device, Device.parse(written));
        assertEquals(type.equals("cpu"), device.isCpu());
    }

    @Test
    void devicesAreEqualWhenTypeAndIndexAre() {
        assertEquals(Device.CPU, Device.parse("cpu:0"));
        assertFalse(Device.parse("cuda:0").equals(Device.parse("cuda:1")));
        assertFalse(Device.CPU.equals(Device.parse("cuda:0")));
    }

    @Test
    void emptyNameIsRefused() {
        var e = assertThrows(IllegalArgumentException.class, () -> Device.parse(""));
        assertEquals("Device string must not be empty", e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cpu2", "cuda:", "cuda:01", "cuda:-1", "cuda:x", ":0", "cuda:1:2", " cpu"})
    void otherFormsAreRefused(String text) {
        var e = assertThrows(IllegalArgumentException.class, () -> Device.parse(text));
        assertEquals("Invalid device string: '" + text + "'", e.getMessage());
    }

    @Test
    void unknownTypeIsRefused() {
        var e = assertThrows(IllegalArgumentException.class, () -> Device.parse("foo"));
        assertEquals(
                "Expected one of cpu, cuda device type at start of device string: foo",
                e.getMessage());
    }

    @Test
    void hostHasNoSecondOne() {
        var e = assertThrows(IllegalArgumentException.class, () -> Device.parse("cpu:1"));
        assertEquals("CPU device index must be -1 or zero, got 1", e.getMessage());
    }

    @Test
    void deviceThatIsNotThereIsRefusedWhenItIsUsed() {
        Device hundredth = Device.parse("cuda:100");
        for (var use :
                List.<Runnable>of(
                        () -> Tensor.ones(2).to(hundredth),
                        () -> Tensor.zeros(DType.FLOAT32, hundredth, 2))) {
            assertFails(
                    IllegalArgumentException.class,
                    "CUDA error: invalid device ordinal: there is no cuda:100, but 4 device(s) from cuda:0 on",
                    use::run);
        }
        assertTrue(ThreadState.current().device.isCpu());
    }

    @Test
    void deviceOfATypeThatNobodyProvidesIsRefusedWhenItIsUsed() {
        String path = DeviceTest.class.getModule().isNamed() ? "module" : "class";
        assertFails(
                IllegalArgumentException.class,
                "there is no cuda:0: nothing on the %s path provides devices of type 'cuda'; provided are []"
                        .formatted(path),
                () -> Devices.of(List.of()).provider(Device.parse("cuda:0")));
    }

    /** A type of devices that there are none of. */
    private static final class NoDevices implements DeviceProvider {
        @Override
        public String type() {
            return "npu";
        }

        @Override
        public int count() {
            return 0;
        }

        @Override
        public DeviceMemory allocate(int index, long bytes) {
            throw new AssertionError("there is no device");
        }

        @Override
        public String description() {
            return "none";
        }

        @Override
        public MemoryUse memoryUse(int index) {
            throw new IllegalArgumentException("there is no device " + index);
        }
    }

    @Test
    void typesOfProvidersCanBeRead() {
        assertEquals(
                List.of("cpu", "cuda", "npu"),
                List.copyOf(Devices.of(List.of(new NoDevices())).types()));
    }

    @Test
    void twoProvidersOfATypeAreRefused() {
        assertFails(
                IllegalStateException.class,
                "devices of type 'npu' are provided twice, by "
                        + NoDevices.class.getName()
                        + " and by "
                        + NoDevices.class.getName(),
                () -> Devices.of(List.of(new NoDevices(), new NoDevices())));
    }
}
