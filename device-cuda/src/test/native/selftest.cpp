// Checks the fake libraries: selftest DIRECTORY.
#include "selftest.h"
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

Libraries libraries;

CUcontext openDevice(int device) {
  CUcontext context = nullptr;
  OK(CU(cuDevicePrimaryCtxRetain)(&context, device));
  OK(CU(cuCtxSetCurrent)(context));
  return context;
}

CUdeviceptr allocate(size_t bytes) {
  CUdeviceptr at = 0;
  OK(CU(cuMemAlloc_v2)(&at, bytes));
  return at;
}

namespace {
void testDevices() {
  int count = 0, value = 0, version = 0;
  CHECK(CU(cuDeviceGetCount)(&count) == CUDA_ERROR_NOT_INITIALIZED);
  OK(CU(cuInit)(0));
  OK(CU(cuDeviceGetCount)(&count));
  OK(CU(cuDriverGetVersion)(&version));
  CHECK(count == 2 && version == 13000);
  CUuuid first, second;
  OK(CU(cuDeviceGetUuid_v2)(&first, 0));
  OK(CU(cuDeviceGetUuid_v2)(&second, 1));
  CHECK(memcmp(&first, &second, sizeof first) != 0);
  OK(CU(cuDeviceGetAttribute)(&value, 75, 1));
  CHECK(value == 9 && CU(cuDeviceGet)(&value, 2) == CUDA_ERROR_INVALID_DEVICE);
  CUdeviceptr at = 0;
  CHECK(CU(cuMemAlloc_v2)(&at, 8) == CUDA_ERROR_INVALID_CONTEXT);
  const char *name = nullptr;
  OK(CU(cuGetErrorName)(700, &name));
  CHECK(strcmp(name, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
}

void testMemory() {
  CUdeviceptr at = allocate(1000);
  CHECK(CU(fakeLiveBlocks)(0) == 1 && CU(fakeLiveBytes)(0) == 1000 && CU(fakeLiveBlocks)(1) == 0);
  for (unsigned char byte : download<unsigned char>(at, 1000, nullptr)) CHECK(byte == 0xFF);
  char buffer[1001] = {};
  CHECK(CU(cuMemcpyDtoHAsync_v2)(buffer, at, 1001, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(CU(cuMemcpyHtoDAsync_v2)(at + 1, buffer, 1000, nullptr) == CUDA_ERROR_INVALID_VALUE);
  OK(CU(cuMemsetD8Async)(at + 10, 7, 20, nullptr));
  OK(CU(cuMemcpyDtoDAsync_v2)(at + 100, at + 10, 20, nullptr));
  std::vector<char> back = download<char>(at, 1000, nullptr);
  CHECK(back[9] == -1 && back[10] == 7 && back[29] == 7 && back[30] == -1 && back[119] == 7);
  // Page-locked memory is read and written late, ordinary memory at once.
  void *host = nullptr;
  OK(CU(cuMemHostAlloc)(&host, 64, 0));
  for (int round = 0; round < 50; round++) {
    OK(CU(cuMemcpyHtoDAsync_v2)(at, &round, 4, nullptr));
    OK(CU(cuMemcpyDtoHAsync_v2)(host, at, 4, nullptr));
    OK(CU(cuStreamSynchronize)(nullptr));
    CHECK(*static_cast<int *>(host) == round);
  }
  OK(CU(cuMemFreeHost)(host));
  CHECK(CU(cuMemFree_v2)(at + 8) == CUDA_ERROR_INVALID_VALUE);
  OK(CU(cuMemFree_v2)(at));
  CHECK(CU(cuMemFree_v2)(at) == CUDA_ERROR_INVALID_VALUE);
  CHECK(CU(cuMemcpyDtoHAsync_v2)(buffer, at, 8, nullptr) == CUDA_ERROR_INVALID_VALUE);
  size_t free = 0, total = 0;
  OK(CU(cuMemGetInfo_v2)(&free, &total));
  CHECK(free == total && CU(cuMemAlloc_v2)(&at, total + 1) == CUDA_ERROR_OUT_OF_MEMORY);
}

void testPeers(CUcontext first, CUcontext second) {
  int can = 0;
  OK(CU(cuDeviceCanAccessPeer)(&can, 0, 1));
  CHECK(can == 1);
  OK(CU(cuCtxEnablePeerAccess)(second, 0));
  CHECK(CU(cuCtxEnablePeerAccess)(second, 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  CUdeviceptr here = upload<int>({1, 2, 3, 4}, nullptr);
  OK(CU(cuCtxSynchronize)());
  OK(CU(cuCtxSetCurrent)(second));
  CUdeviceptr there = allocate(16);
  OK(CU(cuMemcpyPeerAsync)(there, second, here, first, 16, nullptr));
  CHECK(CU(cuMemcpyPeerAsync)(there, first, here, first, 16, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(download<int>(there, 4, nullptr)[3] == 4);
  OK(CU(cuMemFree_v2)(there));
  OK(CU(cuCtxSetCurrent)(first));
  OK(CU(cuMemFree_v2)(here));
}

// A chain over two streams: each value must see the one before it.
void testEvents() {
  CUstream streams[2];
  CUevent events[2];
  for (int i = 0; i < 2; i++) OK(CU(cuStreamCreate)(&streams[i], 1));
  for (int i = 0; i < 2; i++) OK(CU(cuEventCreate)(&events[i], CU_EVENT_DISABLE_TIMING));
  CHECK(CU(fakeLiveStreams)() == 2 && CU(fakeLiveEvents)() == 2);
  OK(CU(cuStreamWaitEvent)(streams[0], events[1], 0));  // never recorded: no wait
  OK(CU(cuEventQuery)(events[1]));
  CUdeviceptr a = allocate(1 << 16), b = allocate(1 << 16);
  for (int round = 0; round < 100; round++) {
    OK(CU(cuMemsetD8Async)(a, (unsigned char)round, 1 << 16, streams[0]));
    OK(CU(cuEventRecord)(events[0], streams[0]));
    OK(CU(cuStreamWaitEvent)(streams[1], events[0], 0));
    OK(CU(cuMemcpyDtoDAsync_v2)(b, a, 1 << 16, streams[1]));
    OK(CU(cuEventRecord)(events[1], streams[1]));
    OK(CU(cuStreamWaitEvent)(streams[0], events[1], 0));
    if (round % 10) continue;
    OK(CU(cuEventSynchronize)(events[1]));
    OK(CU(cuEventQuery)(events[0]));
    std::vector<char> back = download<char>(b, 1 << 16, nullptr);
    CHECK(back[0] == round && back[65535] == round);
  }
  // A wait is for the record made before it, also when a later one ends first.
  OK(CU(cuCtxSynchronize)());
  for (int i = 0; i < 400; i++) OK(CU(cuMemsetD8Async)(a, 1, 1 << 16, streams[0]));
  OK(CU(cuMemsetD8Async)(a, 99, 1 << 16, streams[0]));
  OK(CU(cuEventRecord)(events[0], streams[0]));
  CHECK(CU(cuEventQuery)(events[0]) == CUDA_ERROR_NOT_READY);
  CHECK(CU(cuStreamQuery)(streams[0]) == CUDA_ERROR_NOT_READY);
  OK(CU(cuStreamWaitEvent)(streams[1], events[0], 0));
  OK(CU(cuEventRecord)(events[0], nullptr));
  OK(CU(cuEventSynchronize)(events[0]));
  CHECK(download<char>(a, 1, streams[1])[0] == 99);
  for (int i = 0; i < 2; i++) OK(CU(cuStreamDestroy_v2)(streams[i]));
  for (int i = 0; i < 2; i++) OK(CU(cuEventDestroy_v2)(events[i]));
  CHECK(CU(cuStreamSynchronize)(streams[0]) == CUDA_ERROR_INVALID_HANDLE);
  OK(CU(cuMemFree_v2)(a));
  OK(CU(cuMemFree_v2)(b));
}

// Without waiting, the host must be able to see that it is too early.
void testLateness() {
  CUdeviceptr at = allocate(4);
  CUstream stream;
  OK(CU(cuStreamCreate)(&stream, 1));
  int *host = nullptr, late = 0;
  OK(CU(cuMemHostAlloc)(reinterpret_cast<void **>(&host), 4, 0));
  for (int round = 0; round < 200; round++) {
    *host = 1;
    OK(CU(cuMemcpyHtoDAsync_v2)(at, host, 4, stream));
    *host = 2;  // too early
    OK(CU(cuStreamSynchronize)(stream));
    late += download<int>(at, 1, stream)[0] == 2;
  }
  CHECK(late > 20);
  OK(CU(cuMemFreeHost)(host));
  OK(CU(cuStreamDestroy_v2)(stream));
  OK(CU(cuMemFree_v2)(at));
}

void testHostTouch() {
  CUdeviceptr at = allocate(4096);
  pid_t child = fork();
  if (child == 0) {
    *reinterpret_cast<volatile int *>(at) = 1;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  OK(CU(cuMemFree_v2)(at));
}

void testInjection() {
  CUdeviceptr at = 0;
  CU(fakeFail)("cuMemAlloc_v2", 2, 0);
  OK(CU(cuMemFree_v2)(allocate(8)));
  CHECK(CU(cuMemAlloc_v2)(&at, 8) == CUDA_ERROR_OUT_OF_MEMORY);
  OK(CU(cuMemFree_v2)(allocate(8)));
  CU(fakeFail)("cuCtxSynchronize", 1, 0);
  CHECK(CU(cuCtxSynchronize)() == CUDA_ERROR_LAUNCH_FAILED);
  OK(CU(cuCtxSynchronize)());
  CU(fakeFail)("cuCtxSynchronize", 1, 700);
  CHECK(CU(cuCtxSynchronize)() == 700);
  CU(fakeFail)("cuCtxSynchronize", 1, 700);
  CU(fakeFailClear)();
  OK(CU(cuCtxSynchronize)());
}

// The variable itself, in processes of their own.
void testVariable(const std::string &self) {
  auto run = [&](const char *settings, const char *part) {
    return system(("FAKE_CUDA_CONFIG=" + std::string(settings) + " " + self + " " + part).c_str());
  };
  CHECK(run("devices=3,memory=1m,driver=12080,fail=cuMemAlloc_v2:2+cuStreamCreate:1:999", "settings") == 0);
  CHECK(run("failrate=0.2,seed=3", "failrate") == 0);
}

int checkSettings() {
  int count = 0, version = 0;
  OK(CU(cuInit)(0));
  OK(CU(cuDeviceGetCount)(&count));
  OK(CU(cuDriverGetVersion)(&version));
  CHECK(count == 3 && version == 12080);
  openDevice(2);
  CUdeviceptr at = allocate(1 << 20);
  OK(CU(cuMemFree_v2)(at));
  CHECK(CU(cuMemAlloc_v2)(&at, 8) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(CU(cuMemAlloc_v2)(&at, (1 << 20) + 1) == CUDA_ERROR_OUT_OF_MEMORY);
  CUstream stream;
  CHECK(CU(cuStreamCreate)(&stream, 0) == 999);
  // An error on the device sticks to the context until its last release.
  OK(CU(fakeEnqueue)(nullptr, [](void *) { return 700; }, [](void *) {}, nullptr));
  CHECK(CU(cuStreamSynchronize)(nullptr) == 700 && CU(cuMemAlloc_v2)(&at, 8) == 700);
  OK(CU(cuDevicePrimaryCtxRelease_v2)(2));
  openDevice(2);
  OK(CU(cuMemFree_v2)(allocate(8)));
  return 0;
}

int checkFailRate() {
  OK(CU(cuInit)(0));
  CUcontext context;
  while (CU(cuDevicePrimaryCtxRetain)(&context, 0)) {}
  OK(CU(cuCtxSetCurrent)(context));
  int failed = 0;
  for (int i = 0; i < 200; i++) {
    CUdeviceptr at = 0;
    if (CU(cuMemAlloc_v2)(&at, 8)) failed++;
    else OK(CU(cuMemFree_v2)(at));
  }
  CHECK(failed > 10 && failed < 90);
  return 0;
}

// Many threads at once on one device.
void testThreads(CUcontext context) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; t++)
    threads.emplace_back([context, t] {
      OK(CU(cuCtxSetCurrent)(context));
      CUstream stream;
      OK(CU(cuStreamCreate)(&stream, 0));
      for (int i = 0; i < 60; i++) {
        CUdeviceptr at = upload<int>({t, i}, stream);
        CHECK((download<int>(at, 2, stream) == std::vector<int>{t, i}));
        OK(CU(cuMemFree_v2)(at));
      }
      OK(CU(cuStreamDestroy_v2)(stream));
    });
  for (std::thread &thread : threads) thread.join();
}

void *open(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fprintf(stderr, "%s\n", dlerror());
  CHECK(library);
  return library;
}
}  // namespace

int main(int count, char **args) {
  CHECK(count >= 2);
  std::string directory = args[1], part = count > 2 ? args[2] : "";
  libraries = {open(directory + "/libcuda.so.1"), open(directory + "/libnvrtc.so.13"),
               open(directory + "/libcublas.so.13")};
  if (part == "settings") return checkSettings();
  if (part == "failrate") return checkFailRate();
  if (part == "exporter" || part == "hanging") return ipcExporter(0, 1, part == "hanging");
  testDevices();
  CUcontext first = openDevice(0), second = openDevice(1);
  OK(CU(cuCtxSetCurrent)(first));
  testMemory();
  testPeers(first, second);
  testEvents();
  testLateness();
  testHostTouch();
  testInjection();
  testVariable(std::string(args[0]) + " " + args[1]);
  testThreads(first);
  testKernels();
  testHalf();
  testGemm();
  testIpc((std::string(args[0]) + " " + directory).c_str());
  CHECK(CU(fakeLiveBlocks)(0) == 0 && CU(fakeLiveBytes)(0) == 0 && CU(fakeLiveBlocks)(1) == 0);
  CHECK(CU(fakeOpenHandles)() == 0 && CU(fakeLiveEvents)() == 0 && CU(fakeLiveStreams)() == 0);
  CHECK(CU(fakeLiveModules)() == 0 && CU(fakeLiveHostBlocks)() == 0);
  OK(CU(cuDevicePrimaryCtxRelease_v2)(0));
  OK(CU(cuDevicePrimaryCtxRelease_v2)(1));
  CHECK(CU(cuCtxSynchronize)() == CUDA_ERROR_INVALID_CONTEXT);
  printf("ok\n");
}
