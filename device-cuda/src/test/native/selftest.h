// Shared by the parts of the self-test. The libraries are opened by absolute
// path, as the Java tests do.
#pragma once
#include "cuda_api.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

struct Libraries { void *cuda, *nvrtc, *cublas; };
extern Libraries libraries;
#define CU(name) (reinterpret_cast<decltype(&name)>(dlsym(libraries.cuda, #name)))
template <class F> F *nvrtc(const char *name) { return reinterpret_cast<F *>(dlsym(libraries.nvrtc, name)); }
template <class F> F *cublas(const char *name) { return reinterpret_cast<F *>(dlsym(libraries.cublas, name)); }

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
      _exit(1);                                                         \
    }                                                                   \
  } while (0)
#define OK(call)                                                               \
  do {                                                                         \
    int code_ = (call);                                                        \
    if (code_) fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, code_), _exit(1); \
  } while (0)

CUcontext openDevice(int device);  // retains the primary context and makes it current
CUdeviceptr allocate(size_t bytes);
std::string compileKernels(const char *source);  // the binary; fails the test on errors
template <class T> CUdeviceptr upload(const std::vector<T> &values, CUstream stream) {
  CUdeviceptr at = allocate(values.size() * sizeof(T));
  OK(CU(cuMemcpyHtoDAsync_v2)(at, values.data(), values.size() * sizeof(T), stream));
  return at;
}
template <class T> std::vector<T> download(CUdeviceptr at, size_t count, CUstream stream) {
  std::vector<T> values(count);
  OK(CU(cuMemcpyDtoHAsync_v2)(values.data(), at, count * sizeof(T), stream));
  return values;
}
CUfunction kernel(CUmodule module, const char *name);
template <class... A>
int launch(CUfunction function, unsigned grid, unsigned block, unsigned shared, CUstream stream, A... args) {
  void *params[] = {&args..., nullptr};
  return CU(cuLaunchKernel)(function, grid, 1, 1, block, 1, 1, shared, stream, params, nullptr);
}

void testKernels();
void testGemm();
void testHalf();
void testIpc(const char *self);
int ipcExporter(int in, int out, bool hang);
