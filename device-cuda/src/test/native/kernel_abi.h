// What the fake driver and a compiled kernel module agree on. NVRTC's prelude
// contains this text too, so it must stand alone.
#ifndef FAKE_KERNEL_ABI
#define FAKE_KERNEL_ABI
struct FakeDim { unsigned x, y, z; };

// One per thread of the host, in the module; the driver fills it in.
struct FakeVars {
  FakeDim thread, block, blockSize, gridSize;
  void (*barrier)();
  void (*warpBarrier)(unsigned lanes);
  void *dynamicShared;
};

// The module exports an array of these, "fakeKernels", ended by a null name,
// and "fakeVars", which gives the calling thread's FakeVars.
struct FakeKernel {
  const char *name;
  int params;
  const unsigned *sizes;
  void (*run)(void **args);
};
#endif
