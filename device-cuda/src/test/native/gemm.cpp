// The arithmetic of the fake cuBLAS.
#include "gemm.h"
#include "half.h"
#include <vector>

namespace {
size_t sizeOf(int type) { return type == kF64 ? 8 : type == kF32 ? 4 : 2; }

template <class T> T get(const void *at, int type, size_t i) {
  switch (type) {
    case kF64: return T(static_cast<const double *>(at)[i]);
    case kF32: return T(static_cast<const float *>(at)[i]);
    case kF16: return T(fake_h2f(static_cast<const unsigned short *>(at)[i]));
    default: return T(fake_bf2f(static_cast<const unsigned short *>(at)[i]));
  }
}

template <class T> void put(void *at, int type, size_t i, T value) {
  switch (type) {
    case kF64: static_cast<double *>(at)[i] = double(value); break;
    case kF32: static_cast<float *>(at)[i] = float(value); break;
    case kF16: static_cast<unsigned short *>(at)[i] = fake_f2h(float(value)); break;
    default: static_cast<unsigned short *>(at)[i] = fake_f2bf(float(value)); break;
  }
}

// The real bytes of a matrix with so many rows and columns, null if it does
// not lie inside one block.
void *matrix(CUdeviceptr at, int type, long rows, long cols, long ld) {
  return fakeTranslate(at, size_t((cols - 1) * ld + rows) * sizeOf(type));
}

// Copies a matrix, transposed if asked for, to rows x cols without gaps.
template <class T>
std::vector<T> pack(const void *at, int type, bool transposed, long rows, long cols, long ld) {
  std::vector<T> result(size_t(rows * cols));
  for (long j = 0; j < cols; j++)
    for (long i = 0; i < rows; i++)
      result[size_t(j * rows + i)] = get<T>(at, type, size_t(transposed ? i * ld + j : j * ld + i));
  return result;
}

template <class T> void multiply(const Gemm &g, const void *a, const void *b, void *c) {
  std::vector<T> left = pack<T>(a, g.aType, g.transA != 0, g.m, g.k, g.lda);
  std::vector<T> right = pack<T>(b, g.bType, g.transB != 0, g.k, g.n, g.ldb);
  std::vector<T> column(size_t(g.m));
  for (long j = 0; j < g.n; j++) {
    column.assign(size_t(g.m), T(0));
    for (long l = 0; l < g.k; l++) {
      const T factor = right[size_t(j * g.k + l)], *from = &left[size_t(l * g.m)];
      T *to = column.data();
      for (long i = 0; i < g.m; i++) to[i] += from[i] * factor;
    }
    for (long i = 0; i < g.m; i++) {
      size_t at = size_t(j * g.ldc + i);
      T old = g.beta == 0 ? T(0) : T(g.beta) * get<T>(c, g.cType, at);  // beta 0: C may be anything
      put<T>(c, g.cType, at, T(g.alpha) * column[size_t(i)] + old);
    }
  }
}
}  // namespace

CUresult runGemm(const Gemm &given) {
  Gemm g = given;
  if (g.alpha == 0) g.k = 0;  // A and B are then not read at all
  for (long long i = 0; i < g.batch; i++) {
    CUdeviceptr aAt = g.a + CUdeviceptr(i * g.strideA) * sizeOf(g.aType);
    CUdeviceptr bAt = g.b + CUdeviceptr(i * g.strideB) * sizeOf(g.bType);
    CUdeviceptr cAt = g.c + CUdeviceptr(i * g.strideC) * sizeOf(g.cType);
    bool empty = g.k == 0;
    void *a = empty ? nullptr : matrix(aAt, g.aType, g.transA ? g.k : g.m, g.transA ? g.m : g.k, g.lda);
    void *b = empty ? nullptr : matrix(bAt, g.bType, g.transB ? g.n : g.k, g.transB ? g.k : g.n, g.ldb);
    void *c = matrix(cAt, g.cType, g.m, g.n, g.ldc);
    if (!c || (!empty && (!a || !b))) return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (g.wide) multiply<double>(g, a, b, c);
    else multiply<float>(g, a, b, c);
  }
  return CUDA_SUCCESS;
}
