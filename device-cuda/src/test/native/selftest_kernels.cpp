// Compiles and launches kernels.
#include "selftest.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <unistd.h>

namespace {
const char kSource[] = R"(
#include "scale.h"
#define BINARY(NAME, EXPRESSION)                                                     \
  extern "C" __global__ void __launch_bounds__(256) NAME(const float *__restrict__ a, \
      const float *__restrict__ b, float *c, int n) {                                \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                   \
    if (i < n) c[i] = EXPRESSION;                                                    \
  }
BINARY(add, SCALE * a[i] + b[i])
BINARY(index, fmaf(a[i], b[i], max(a[i], b[i])))

#ifndef GRADWIRE_FAKE
#error "not the fake"
#endif
__device__ __forceinline__ unsigned short half(float v) { return fake_f2h(v); }

extern "C" __launch_bounds__(1024) __global__ void sum(const float *a, float *out, int n) {
  __shared__ float part[1024];
  int t = threadIdx.x;
  float mine = 0;
  for (int i = t; i < n; i += blockDim.x) mine += a[i];
  part[t] = mine;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step >>= 1) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

extern "C" __global__ void reverse(int *a) {  // through dynamic shared memory
  extern __shared__ int all[];
  all[threadIdx.x] = a[threadIdx.x];
  if (threadIdx.x >= blockDim.x) return;
  __syncthreads();
  a[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void votes(unsigned *a) {  // of the lanes that have the same number
  __shared__ unsigned order[96];
  unsigned mine = a[threadIdx.x], peers = __ballot_sync(0xffffffff, 1);
  for (int bit = 0; bit < 2; bit++) {
    unsigned ones = __ballot_sync(0xffffffff, mine >> bit & 1);
    peers &= mine >> bit & 1 ? ones : ~ones;
  }
  order[threadIdx.x] = __popc(peers);
  __syncwarp();
  a[threadIdx.x] = peers + order[threadIdx.x ^ 1];
  __syncthreads();
  if (threadIdx.x % 32 < 2) order[threadIdx.x] = __ballot_sync(3, threadIdx.x % 2);
  if (threadIdx.x % 32 == 1) a[threadIdx.x] = order[threadIdx.x];
}

struct Args { float *to; int n; double factor; };
extern "C" __global__ void packed(Args args, unsigned char small, unsigned short *halves) {
  for (int i = 0; i < args.n; i++) args.to[i] = float(args.factor) + small;
  halves[0] = half(1.5f);
  if (isnan(args.to[0]) || isinf(args.to[0])) halves[0] = 0;
}
)";

typedef struct ProgramHandle *Program;
// Returns the result of compiling; the log and the binary as they are then.
int compile(const char *source, std::string *log, std::string *binary) {
  Program program = nullptr;
  const char *headers[] = {"#define SCALE 2.0f\n"}, *names[] = {"scale.h"};
  const char *options[] = {"--gpu-architecture=sm_90", "-D", "EXTRA=1", "--std=c++17"};
  OK(nvrtc<int(Program *, const char *, const char *, int, const char *const *, const char *const *)>(
      "nvrtcCreateProgram")(&program, source, "test.cu", 1, headers, names));
  int result = nvrtc<int(Program, int, const char *const *)>("nvrtcCompileProgram")(program, 4, options);
  size_t size = 0;
  OK(nvrtc<int(Program, size_t *)>("nvrtcGetProgramLogSize")(program, &size));
  log->resize(size);
  OK(nvrtc<int(Program, char *)>("nvrtcGetProgramLog")(program, &(*log)[0]));
  OK(nvrtc<int(Program, size_t *)>("nvrtcGetCUBINSize")(program, &size));
  binary->resize(size);
  OK(nvrtc<int(Program, char *)>("nvrtcGetCUBIN")(program, &(*binary)[0]));
  OK(nvrtc<int(Program *)>("nvrtcDestroyProgram")(&program));
  CHECK(program == nullptr);
  return result;
}

void testErrors() {
  std::string log, binary;
  CHECK(compile("\nextern \"C\" __global__ void bad(float *a) { a[0] = missing; }\n", &log, &binary) == 6);
  CHECK(log.find("test.cu:2") != std::string::npos && log.find("missing") != std::string::npos);
  CHECK(binary.empty());
  CHECK(compile("#include <vector>\n", &log, &binary) == 6);
  CUmodule module;
  char junk[64] = "not a module";
  CHECK(CU(cuModuleLoadData)(&module, junk) == CUDA_ERROR_INVALID_IMAGE);
}

void testElementwise(CUmodule module, CUstream stream) {
  const int n = 10000;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; i++) a[size_t(i)] = float(i), b[size_t(i)] = 0.5f * float(i % 7);
  CUdeviceptr da = upload(a, stream), db = upload(b, stream), dc = allocate(n * 4);
  OK(launch(kernel(module, "add"), 40, 256, 0, stream, da, db, dc, n));
  std::vector<float> c = download<float>(dc, n, stream);
  for (size_t i = 0; i < size_t(n); i++) CHECK(c[i] == 2 * a[i] + b[i]);
  OK(launch(kernel(module, "index"), 40, 256, 0, stream, da, db, dc, n));
  c = download<float>(dc, n, stream);
  for (size_t i = 0; i < size_t(n); i++) CHECK(c[i] == std::fmaf(a[i], b[i], std::fmax(a[i], b[i])));
  OK(CU(cuMemFree_v2)(da));
  OK(CU(cuMemFree_v2)(db));
  OK(CU(cuMemFree_v2)(dc));
}

void testReduction(CUmodule module, CUstream stream) {
  const int n = 5000;
  CUdeviceptr from = upload(std::vector<float>(n, 1), stream), to = upload<float>({0}, stream);
  for (unsigned block : {64u, 256u, 1024u}) OK(launch(kernel(module, "sum"), 1, block, 0, stream, from, to, n));
  OK(launch(kernel(module, "sum"), 3, 256, 0, stream, from, to, n));
  CHECK(download<float>(to, 1, stream)[0] == 6 * n);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; i++) OK(launch(kernel(module, "sum"), 1, 256, 0, stream, from, to, n));
  OK(CU(cuStreamSynchronize)(stream));
  std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  printf("reduction with 256 threads: %.0f us each\n", took.count() / 100);
  OK(CU(cuMemFree_v2)(from));
  OK(CU(cuMemFree_v2)(to));
  CUdeviceptr values = upload<int>({1, 2, 3, 4, 5}, stream);
  OK(launch(kernel(module, "reverse"), 1, 5, 20, stream, values));
  CHECK((download<int>(values, 5, stream) == std::vector<int>{5, 4, 3, 2, 1}));
  OK(CU(cuMemFree_v2)(values));
}

// Two warps and half a warp, whose lanes have the numbers 0 to 3 in turns.
void testWarps(CUmodule module, CUstream stream) {
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i < 80; i++) numbers.push_back(i % 4);
  CUdeviceptr at = upload(numbers, stream);
  OK(launch(kernel(module, "votes"), 1, 80, 0, stream, at));
  std::vector<unsigned> result = download<unsigned>(at, 80, stream);
  for (unsigned i = 0; i < 80; i++) {
    unsigned peers = (i < 64 ? 0x11111111u : 0x1111u) << i % 4;
    CHECK(result[i] == (i % 32 == 1 ? 2 : peers + (i < 64 ? 8 : 4)));
  }
  OK(CU(cuMemFree_v2)(at));
}

// Addresses inside structures are found as well; parameters are taken at once.
void testParameters(CUmodule module, CUstream stream) {
  struct Args { CUdeviceptr to; int n; double factor; };
  CUdeviceptr to = allocate(40), halves = allocate(2);
  OK(launch(kernel(module, "packed"), 1, 1, 0, stream, Args{to, 10, 2.5}, (unsigned char)200, halves));
  CHECK(download<float>(to, 10, stream)[9] == 202.5f);
  CHECK(download<unsigned short>(halves, 1, stream)[0] == 0x3e00);
  // Memory of a peer may be used once access is on, as testPeers has made it.
  CUcontext here, peer;
  OK(CU(cuCtxGetCurrent)(&here));
  OK(CU(cuDevicePrimaryCtxRetain)(&peer, 1));
  OK(CU(cuCtxSetCurrent)(peer));
  CUdeviceptr there = upload<int>({1, 2, 3}, nullptr);
  OK(CU(cuCtxSynchronize)());
  OK(CU(cuCtxSetCurrent)(here));
  OK(launch(kernel(module, "reverse"), 1, 3, 12, stream, there));
  CHECK((download<int>(there, 3, stream) == std::vector<int>{3, 2, 1}));
  OK(CU(cuMemFree_v2)(there));
  OK(CU(cuDevicePrimaryCtxRelease_v2)(1));
  CHECK(launch(kernel(module, "reverse"), 1, 1025, 0, stream, to) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(kernel(module, "reverse"), 0, 1, 0, stream, to) == CUDA_ERROR_INVALID_VALUE);
  CUfunction none;
  CHECK(CU(cuModuleGetFunction)(&none, module, "none") == CUDA_ERROR_NOT_FOUND);
  OK(CU(cuMemFree_v2)(to));
  OK(CU(cuMemFree_v2)(halves));
}
}  // namespace

std::string compileKernels(const char *source) {
  std::string log, binary;
  int result = compile(source, &log, &binary);
  if (result) fprintf(stderr, "%s\n", log.c_str());
  CHECK(result == 0 && !binary.empty());
  return binary;
}

CUfunction kernel(CUmodule module, const char *name) {
  CUfunction function = nullptr;
  OK(CU(cuModuleGetFunction)(&function, module, name));
  return function;
}

void testKernels() {
  testErrors();
  std::string binary = compileKernels(kSource);
  CUmodule module, again;
  OK(CU(cuModuleLoadData)(&module, binary.data()));
  OK(CU(cuModuleLoadData)(&again, binary.data()));
  CUstream stream;
  OK(CU(cuStreamCreate)(&stream, 1));
  testElementwise(module, stream);
  testElementwise(again, nullptr);
  testReduction(module, stream);
  testWarps(module, stream);
  testParameters(module, stream);
  CUfunction stale = kernel(again, "add");
  OK(CU(cuModuleUnload)(again));
  CHECK(launch(stale, 1, 1, 0, stream, CUdeviceptr(0), CUdeviceptr(0), CUdeviceptr(0), 0) ==
        CUDA_ERROR_INVALID_HANDLE);
  CHECK(CU(fakeLiveModules)() == 1 && CU(fakeLaunches)() > 100);
  OK(CU(cuModuleUnload)(module));
  OK(CU(cuStreamDestroy_v2)(stream));
}
