// Makes the CUDA C++ of the kernels ordinary C++17. Comes before the source,
// after kernel_abi.h and half.h.
// Only what C has: the overloads of C++ take most of the time of a compilation.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
extern "C" int printf(const char *, ...);

static thread_local FakeVars fake_now;
extern "C" __attribute__((visibility("default"))) FakeVars *fakeVars() { return &fake_now; }

// ---- built-in variables and qualifiers
struct uint3 { unsigned x, y, z; };
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
#define threadIdx (fake_now.thread)
#define blockIdx (fake_now.block)
#define blockDim (fake_now.blockSize)
#define gridDim (fake_now.gridSize)
#define warpSize 32
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __grid_constant__
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __syncthreads() (fake_now.barrier())
#define __syncwarp(...) (fake_now.warpBarrier(fake_lanes(__VA_ARGS__)))
#define __threadfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __threadfence_block() __atomic_thread_fence(__ATOMIC_SEQ_CST)

// ---- warps: 32 threads that follow each other
static inline unsigned fake_lanes(unsigned lanes = 0xffffffff) { return lanes; }
static thread_local unsigned fake_votes[1024];
// Threads run one by one, so all wait until the last has voted, and again until all have counted.
static inline unsigned __ballot_sync(unsigned lanes, int vote) {
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned me = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned first = me & ~31u, votes = 0;
  fake_votes[me] = vote != 0;
  fake_now.warpBarrier(lanes);
  for (unsigned lane = 0; lane < 32 && first + lane < threads; lane++)
    if (lanes >> lane & 1) votes |= fake_votes[first + lane] << lane;
  fake_now.warpBarrier(lanes);
  return votes;
}

// ---- vector types
#define FAKE_VECTORS(T, N)                                                        \
  struct __align__(2 * sizeof(T)) N##2 { T x, y; };                               \
  struct __align__(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) N##4 { T x, y, z, w; }; \
  static inline N##2 make_##N##2(T x, T y) { return {x, y}; }                     \
  static inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
FAKE_VECTORS(float, float)
FAKE_VECTORS(double, double)
FAKE_VECTORS(int, int)
FAKE_VECTORS(unsigned, uint)
FAKE_VECTORS(short, short)
FAKE_VECTORS(unsigned short, ushort)
FAKE_VECTORS(signed char, char)
FAKE_VECTORS(unsigned char, uchar)
FAKE_VECTORS(long long, longlong)
FAKE_VECTORS(unsigned long long, ulonglong)

// ---- reinterpreting bits
template <class To, class From> static inline To fake_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
static inline int __float_as_int(float v) { return fake_cast<int>(v); }
static inline unsigned __float_as_uint(float v) { return fake_cast<unsigned>(v); }
static inline float __int_as_float(int v) { return fake_cast<float>(v); }
static inline float __uint_as_float(unsigned v) { return fake_cast<float>(v); }
static inline long long __double_as_longlong(double v) { return fake_cast<long long>(v); }
static inline double __longlong_as_double(long long v) { return fake_cast<double>(v); }
template <class T> static inline T __ldg(const T *at) { return *at; }

// ---- mathematics that C++ lacks
#define FAKE_MIN_MAX(T)                                        \
  static inline T min(T a, T b) { return b < a ? b : a; }      \
  static inline T max(T a, T b) { return a < b ? b : a; }
FAKE_MIN_MAX(int)
FAKE_MIN_MAX(unsigned)
FAKE_MIN_MAX(long)
FAKE_MIN_MAX(unsigned long)
FAKE_MIN_MAX(long long)
FAKE_MIN_MAX(unsigned long long)
// As in CUDA, those for floating point ignore a NaN.
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline float rsqrtf(float v) { return 1.0f / sqrtf(v); }
static inline double rsqrt(double v) { return 1.0 / sqrt(v); }
static inline float rsqrt(float v) { return rsqrtf(v); }
static inline float normcdff(float v) { return float(0.5 * erfc(-double(v) * 0.70710678118654752440)); }
static inline double normcdf(double v) { return 0.5 * erfc(-v * 0.70710678118654752440); }
static inline float fdividef(float a, float b) { return a / b; }
static inline float __fdividef(float a, float b) { return a / b; }
// The C library has these names for itself, hence macros.
#define __expf expf
#define __exp10f exp10f
#define __log10f log10f
#define __logf logf
#define __log2f log2f
#define __powf powf
#define __sinf sinf
#define __cosf cosf
static inline float __frcp_rn(float v) { return 1.0f / v; }
static inline float __frsqrt_rn(float v) { return rsqrtf(v); }
static inline float __fsqrt_rn(float v) { return sqrtf(v); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline float __saturatef(float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
static inline int __float2int_rn(float v) { return int(nearbyintf(v)); }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __clz(int v) { return v ? __builtin_clz(unsigned(v)) : 32; }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline unsigned __umulhi(unsigned a, unsigned b) {
  return unsigned((unsigned long long)(a) * b >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)(a) * b >> 64);
}

// ---- atomics: real ones, as several streams may run kernels at once
template <class T, class Change> static inline T fake_atomic(T *at, Change change) {
  T old, changed;
  __atomic_load(at, &old, __ATOMIC_RELAXED);
  do changed = change(old);
  while (!__atomic_compare_exchange(at, &old, &changed, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  return old;
}
#define FAKE_ATOMICS(T)                                                                          \
  static inline T atomicAdd(T *at, T v) { return fake_atomic(at, [v](T o) { return (T)(o + v); }); } \
  static inline T atomicExch(T *at, T v) { return fake_atomic(at, [v](T) { return v; }); }
#define FAKE_INTEGER_ATOMICS(T)                                                                   \
  FAKE_ATOMICS(T)                                                                                 \
  static inline T atomicMin(T *at, T v) { return fake_atomic(at, [v](T o) { return o < v ? o : v; }); } \
  static inline T atomicMax(T *at, T v) { return fake_atomic(at, [v](T o) { return v < o ? o : v; }); } \
  static inline T atomicOr(T *at, T v) { return fake_atomic(at, [v](T o) { return (T)(o | v); }); }  \
  static inline T atomicAnd(T *at, T v) { return fake_atomic(at, [v](T o) { return (T)(o & v); }); } \
  static inline T atomicCAS(T *at, T was, T v) {                                                  \
    return fake_atomic(at, [was, v](T o) { return o == was ? v : o; });                           \
  }
FAKE_ATOMICS(float)
FAKE_ATOMICS(double)
FAKE_INTEGER_ATOMICS(int)
FAKE_INTEGER_ATOMICS(unsigned)
FAKE_INTEGER_ATOMICS(unsigned long long)

// ---- unpacking a launch's parameters for a kernel
template <unsigned... I> struct fake_list {};
template <unsigned N, unsigned... I> struct fake_count : fake_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct fake_count<0, I...> { using list = fake_list<I...>; };
template <class Signature> struct fake_signature;
template <class... A> struct fake_signature<void(A...)> {
  static constexpr int params = sizeof...(A);
  static constexpr unsigned sizes[] = {sizeof(A)..., 0};
  template <unsigned... I> static void call(void (*kernel)(A...), void **args, fake_list<I...>) {
    kernel(*static_cast<A *>(args[I])...);
  }
  static void call(void (*kernel)(A...), void **args) {
    call(kernel, args, typename fake_count<sizeof...(A)>::list());
  }
};
template <class Signature, Signature *kernel> static void fake_run(void **args) {
  fake_signature<Signature>::call(kernel, args);
}
#define FAKE_ENTRY(NAME, KERNEL)                                                             \
  {NAME, fake_signature<decltype(KERNEL)>::params, fake_signature<decltype(KERNEL)>::sizes, \
   fake_run<decltype(KERNEL), &KERNEL>},
#define FAKE_TABLE_BEGIN \
  extern "C" __attribute__((visibility("default"))) const FakeKernel fakeKernels[] = {
#define FAKE_TABLE_END {nullptr, 0, nullptr, nullptr}};
