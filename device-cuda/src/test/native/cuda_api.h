// Minimal declarations of the CUDA driver API: just what the fake driver
// exports, with the binary layout and numbers of NVIDIA's own.
#pragma once
#include <cstddef>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct Context *CUcontext;
typedef struct StreamHandle *CUstream;
typedef struct EventHandle *CUevent;
typedef struct ModuleHandle *CUmodule;
typedef struct FunctionHandle *CUfunction;
struct CUuuid { char bytes[16]; };
struct CUipcMemHandle { char reserved[64]; };
struct CUipcEventHandle { char reserved[64]; };

enum : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_ALREADY_MAPPED = 208,
  CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_UNKNOWN = 999,
};

enum : unsigned {
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_INTERPROCESS = 4,
  CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1,
};

#define API extern "C" __attribute__((visibility("default")))

API CUresult cuInit(unsigned flags);
API CUresult cuDriverGetVersion(int *version);
API CUresult cuGetErrorName(CUresult code, const char **text);
API CUresult cuGetErrorString(CUresult code, const char **text);
API CUresult cuDeviceGetCount(int *count);
API CUresult cuDeviceGet(CUdevice *device, int ordinal);
API CUresult cuDeviceGetName(char *name, int length, CUdevice device);
API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device);
API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
API CUresult cuCtxSetCurrent(CUcontext context);
API CUresult cuCtxGetCurrent(CUcontext *context);
API CUresult cuCtxSynchronize(void);
API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags);
API CUresult cuMemGetInfo_v2(size_t *free, size_t *total);
API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address);
API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
API CUresult cuMemFree_v2(CUdeviceptr address);
API CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags);
API CUresult cuMemFreeHost(void *address);
API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                               CUcontext fromContext, size_t bytes, CUstream stream);
API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream);
API CUresult cuStreamCreate(CUstream *stream, unsigned flags);
API CUresult cuStreamDestroy_v2(CUstream stream);
API CUresult cuStreamSynchronize(CUstream stream);
API CUresult cuStreamQuery(CUstream stream);
API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
API CUresult cuEventCreate(CUevent *event, unsigned flags);
API CUresult cuEventRecord(CUevent event, CUstream stream);
API CUresult cuEventQuery(CUevent event);
API CUresult cuEventSynchronize(CUevent event);
API CUresult cuEventDestroy_v2(CUevent event);
API CUresult cuModuleLoadData(CUmodule *module, const void *image);
API CUresult cuModuleUnload(CUmodule module);
API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
API CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                            unsigned blockX, unsigned blockY, unsigned blockZ,
                            unsigned sharedBytes, CUstream stream, void **params, void **extra);
API CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address);
API CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags);
API CUresult cuIpcCloseMemHandle(CUdeviceptr address);
API CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event);
API CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle);

// Not part of CUDA: what the tests inspect and steer.
API long fakeLiveBlocks(int device);
API long fakeLiveBytes(int device);
API long fakeLiveHostBlocks(void);
API long fakeOpenHandles(void);
API long fakeLiveEvents(void);
API long fakeLiveStreams(void);
API long fakeLiveModules(void);
API long fakeLaunches(void);
API void fakeFail(const char *name, int k, int code);
API void fakeFailClear(void);

// Not part of CUDA: what the fake cuBLAS and NVRTC need of the driver.
// fakeEnqueue runs work(arg) on the stream's thread and then drop(arg), the
// latter also when the context failed; a non-zero result of work is sticky.
API CUresult fakeEnqueue(CUstream stream, CUresult (*work)(void *), void (*drop)(void *), void *arg);
API void *fakeTranslate(CUdeviceptr address, size_t bytes);
API int fakeShouldFail(const char *name, int defaultCode);
