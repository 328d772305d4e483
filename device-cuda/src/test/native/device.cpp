// Initialisation, devices and their primary contexts.
#include "fake.h"
#include <cstdio>
#include <cstring>
#include <map>

namespace {
std::atomic<bool> initialised{false};
std::mutex &lock = *new std::mutex;  // guards the contexts' fields; never destroyed
Context *contexts() {
  static Context *all = [] {
    Context *made = new Context[kMaxDevices];
    for (int i = 0; i < kMaxDevices; i++) made[i].device = i;
    return made;
  }();
  return all;
}
thread_local Context *currentContext = nullptr;

bool isDevice(CUdevice device) { return device >= 0 && device < config().devices; }

// A hash of the kernel's boot id, so all processes of this machine agree.
uint64_t machineHash(uint64_t salt) {
  char text[64] = "no boot id";
  if (FILE *in = fopen("/proc/sys/kernel/random/boot_id", "r")) {
    if (!fgets(text, sizeof text, in)) text[0] = 0;
    fclose(in);
  }
  uint64_t hash = 14695981039346656037ull ^ salt;
  for (const char *at = text; *at; at++) hash = (hash ^ uint8_t(*at)) * 1099511628211ull;
  return hash;
}
}  // namespace

Context *current() { return currentContext; }

Context *liveContext(CUcontext handle) {
  std::lock_guard<std::mutex> hold(lock);
  for (int i = 0; i < config().devices; i++)
    if (handle == &contexts()[i]) return handle->references > 0 ? handle : nullptr;
  return nullptr;
}

std::shared_ptr<Stream> nullStreamOf(Context *context) {
  std::lock_guard<std::mutex> hold(lock);
  return context->nullStream;
}

bool peerEnabled(const Context &context, int device) {
  std::lock_guard<std::mutex> hold(lock);
  return context.peers.count(device) > 0;
}

CUresult enter(const char *function, Need need) {
  if (need != Need::Nothing && !initialised) return CUDA_ERROR_NOT_INITIALIZED;
  if (CUresult code = injected(function)) return code;
  if (need != Need::Context) return CUDA_SUCCESS;
  if (!liveContext(currentContext)) return CUDA_ERROR_INVALID_CONTEXT;
  return currentContext->error;
}

API CUresult cuInit(unsigned flags) {
  if (CUresult code = enter(__func__, Need::Nothing)) return code;
  if (flags != 0 || !config().valid) return CUDA_ERROR_INVALID_VALUE;
  if (config().devices == 0) return CUDA_ERROR_NO_DEVICE;
  initialised = true;
  return CUDA_SUCCESS;
}

API CUresult cuDriverGetVersion(int *version) {
  if (CUresult code = enter(__func__, Need::Nothing)) return code;
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = config().driver;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetCount(int *count) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  *count = config().devices;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!name || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(device)) return CUDA_ERROR_INVALID_DEVICE;
  snprintf(name, size_t(length), "Fake CUDA Device %d", device);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!uuid) return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(device)) return CUDA_ERROR_INVALID_DEVICE;
  uint64_t words[2] = {machineHash(1), machineHash(1000 + uint64_t(device))};
  memcpy(uuid->bytes, words, sizeof words);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(device)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = config().memory;
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  static const std::map<int, int> &known = *new std::map<int, int>{
      {1, 1024}, {2, 1024}, {3, 1024}, {4, 64},         // threads per block; x, y, z
      {5, 2147483647}, {6, 65535}, {7, 65535},          // blocks per grid: x, y, z
      {8, 49152}, {9, 65536}, {10, 32}, {12, 65536},    // shared, constant, warp, registers
      {13, 1000000}, {16, 4}, {31, 1}, {36, 1000000},   // clock, multiprocessors, concurrency
      {37, 512}, {38, 1 << 20}, {39, 2048}, {40, 2},    // bus, L2, threads per multiprocessor
      {41, 1}, {75, 9}, {76, 0}, {81, 49152},           // unified addresses, capability 9.0
      {82, 65536}, {97, 49152}, {106, 32}};
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!value || attribute <= 0 || attribute > 200) return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(device)) return CUDA_ERROR_INVALID_DEVICE;
  auto found = known.find(attribute);
  *value = found == known.end() ? 0 : found->second;
  if (attribute == 33) *value = device + 1;  // PCI bus: one slot per device
  return CUDA_SUCCESS;
}

API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!can) return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(device) || !isDevice(peer)) return CUDA_ERROR_INVALID_DEVICE;
  *can = device != peer && config().peer;
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (!isDevice(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard<std::mutex> hold(lock);
  Context &primary = contexts()[device];
  if (primary.references++ == 0) {
    primary.error = 0;
    primary.nullStream = startStream(&primary);
  }
  *context = &primary;
  return CUDA_SUCCESS;
}

// The last release ends the context, but keeps blocks and handles that the
// host forgot, so that the leak counters show them.
API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!isDevice(device)) return CUDA_ERROR_INVALID_DEVICE;
  Context &primary = contexts()[device];
  std::shared_ptr<Stream> ended;
  {
    std::lock_guard<std::mutex> hold(lock);
    if (primary.references == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary.references > 0) return CUDA_SUCCESS;
    primary.peers.clear();
    ended.swap(primary.nullStream);
  }
  drainContext(&primary);
  ended->close();
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetCurrent(CUcontext context) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (context && !liveContext(context)) return CUDA_ERROR_INVALID_CONTEXT;
  currentContext = context;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context) {
  if (CUresult code = enter(__func__, Need::Init)) return code;
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSynchronize(void) {
  if (CUresult code = enter(__func__)) return code;
  drainContext(current());
  return current()->error;
}

API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  if (CUresult code = enter(__func__)) return code;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!liveContext(peer)) return CUDA_ERROR_INVALID_CONTEXT;
  if (peer == current()) return CUDA_ERROR_INVALID_DEVICE;
  if (!config().peer) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  std::lock_guard<std::mutex> hold(lock);
  bool added = current()->peers.insert(peer->device).second;
  return added ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}
