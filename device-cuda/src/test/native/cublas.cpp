// The few cuBLAS entry points the host uses, computed on the stream's thread.
#include "cuda_api.h"
#include "gemm.h"
#include "handles.h"
#include <atomic>
#include <cstring>

typedef int cublasStatus_t;
typedef struct BlasHandle *cublasHandle_t;
enum : int {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
};

namespace {
struct Blas {
  CUcontext context = nullptr;
  std::atomic<CUstream> stream{nullptr};
};
HandleTable<Blas, cublasHandle_t> &handles() {
  static auto *table = new HandleTable<Blas, cublasHandle_t>(0x56);
  return *table;
}

CUcontext currentContext() {
  CUcontext context = nullptr;
  return cuCtxGetCurrent(&context) == CUDA_SUCCESS ? context : nullptr;
}

enum : int { C32F = 68, C32F_PEDANTIC = 69, C64F = 70, C64F_PEDANTIC = 71,
             C32F_FAST_16F = 74, C32F_FAST_16BF = 75, C32F_FAST_TF32 = 77 };

bool isDouble(int compute) { return compute == C64F || compute == C64F_PEDANTIC; }

// The combinations of cuBLAS's table that we know.
bool supported(const Gemm &g, int compute) {
  if (g.aType != g.bType) return false;
  if (isDouble(compute)) return g.aType == kF64 && g.cType == kF64;
  bool plain = compute == C32F || compute == C32F_PEDANTIC;
  bool fast = compute == C32F_FAST_16F || compute == C32F_FAST_16BF || compute == C32F_FAST_TF32;
  bool single = g.aType == kF32 && g.cType == kF32;
  bool small = (g.aType == kF16 || g.aType == kBF16) && (g.cType == g.aType || g.cType == kF32);
  return (plain && (single || small)) || (fast && single);
}

bool goodShape(const Gemm &g) {
  auto atLeast = [](long ld, int rows) { return ld >= (rows > 1 ? rows : 1); };
  bool ops = g.transA >= 0 && g.transA <= 2 && g.transB >= 0 && g.transB <= 2;
  return ops && g.m >= 0 && g.n >= 0 && g.k >= 0 && g.batch >= 0 &&
         atLeast(g.lda, g.transA ? g.k : g.m) && atLeast(g.ldb, g.transB ? g.n : g.k) &&
         atLeast(g.ldc, g.m);
}

double scalar(const void *at, int compute) {
  if (isDouble(compute)) return *static_cast<const double *>(at);
  return *static_cast<const float *>(at);
}

// The scalars are read now, as they lie on the host; the rest when the stream
// gets there.
cublasStatus_t queue(const char *function, cublasHandle_t handle, Gemm g, const void *alpha,
                     const void *beta, int compute) {
  if (int code = fakeShouldFail(function, CUBLAS_STATUS_EXECUTION_FAILED)) return code;
  std::shared_ptr<Blas> blas = handles().find(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (blas->context != currentContext()) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (!alpha || !beta || !goodShape(g)) return CUBLAS_STATUS_INVALID_VALUE;
  if (!supported(g, compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (g.m == 0 || g.n == 0 || g.batch == 0) return CUBLAS_STATUS_SUCCESS;
  g.alpha = scalar(alpha, compute);
  g.beta = scalar(beta, compute);
  g.wide = isDouble(compute);
  CUresult code = fakeEnqueue(
      blas->stream, [](void *arg) { return runGemm(*static_cast<Gemm *>(arg)); },
      [](void *arg) { delete static_cast<Gemm *>(arg); }, new Gemm(g));
  return code ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

CUdeviceptr address(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
}  // namespace

API cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (int code = fakeShouldFail(__func__, CUBLAS_STATUS_ALLOC_FAILED)) return code;
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  CUcontext context = currentContext();
  if (!context) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto blas = std::make_shared<Blas>();
  blas->context = context;
  *handle = handles().add(blas);
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (int code = fakeShouldFail(__func__, CUBLAS_STATUS_INTERNAL_ERROR)) return code;
  return handles().take(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

API cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, CUstream stream) {
  if (int code = fakeShouldFail(__func__, CUBLAS_STATUS_INTERNAL_ERROR)) return code;
  std::shared_ptr<Blas> blas = handles().find(handle);
  if (!blas) return CUBLAS_STATUS_NOT_INITIALIZED;
  blas->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
  if (int code = fakeShouldFail(__func__, CUBLAS_STATUS_INTERNAL_ERROR)) return code;
  if (!handles().find(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  bool good = bytes == 0 || (address(workspace) % 256 == 0 && fakeTranslate(address(workspace), bytes));
  return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

API cublasStatus_t cublasSetMathMode(cublasHandle_t handle, int mode) {
  if (int code = fakeShouldFail(__func__, CUBLAS_STATUS_INTERNAL_ERROR)) return code;
  if (!handles().find(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  int basic = mode & ~16;  // 16 only forbids reductions in reduced precision
  return basic >= 0 && basic <= 3 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

API const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "the operation completed successfully";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED: return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE: return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "the function requires an architectural feature absent from the device";
    case CUBLAS_STATUS_MAPPING_ERROR: return "an access to GPU memory space failed";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "an internal operation failed";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "the functionality requested is not supported";
    default: return "unknown CUBLAS status";
  }
}

API cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, int transA, int transB, int m, int n, int k, const void *alpha, const void *a,
    int aType, int lda, long long strideA, const void *b, int bType, int ldb, long long strideB,
    const void *beta, void *c, int cType, int ldc, long long strideC, int batch, int compute, int) {
  Gemm g{transA, transB, m, n, k, batch, address(a), address(b), address(c), aType, bType, cType,
         lda, ldb, ldc, strideA, strideB, strideC, 0, 0, false};
  return queue(__func__, handle, g, alpha, beta, compute);
}

API cublasStatus_t cublasGemmEx(cublasHandle_t handle, int transA, int transB, int m, int n, int k,
                                const void *alpha, const void *a, int aType, int lda, const void *b,
                                int bType, int ldb, const void *beta, void *c, int cType, int ldc,
                                int compute, int) {
  Gemm g{transA, transB, m, n, k, 1, address(a), address(b), address(c), aType, bType, cType,
         lda, ldb, ldc, 0, 0, 0, 0, 0, false};
  return queue(__func__, handle, g, alpha, beta, compute);
}

API long fakeLiveBlasHandles(void) { return handles().count(); }
