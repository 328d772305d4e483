// Matrix products against a plain loop, and the 16-bit conversions.
#include "selftest.h"
#include "gemm.h"
#include "half.h"
#include <cmath>
#include <random>
#include <unistd.h>

namespace {
typedef struct BlasHandle *Handle;
typedef int StridedGemm(Handle, int, int, int, int, int, const void *, const void *, int, int, long long,
                        const void *, int, int, long long, const void *, void *, int, int, long long, int,
                        int, int);
typedef int PlainGemm(Handle, int, int, int, int, int, const void *, const void *, int, int, const void *,
                      int, int, const void *, void *, int, int, int, int);
std::mt19937 random_(11);

// A matrix on the host as doubles, and its bytes in the format of the device.
struct Matrix {
  int type;
  std::vector<double> values;
  std::vector<char> bytes;
  CUdeviceptr device = 0;
};

template <class T> void append(std::vector<char> *bytes, T value) {
  const char *at = reinterpret_cast<const char *>(&value);
  bytes->insert(bytes->end(), at, at + sizeof value);
}

void encode(Matrix *m, double value) {
  switch (m->type) {
    case kF64: append(&m->bytes, value); break;
    case kF32: append(&m->bytes, float(value)); break;
    case kF16: append(&m->bytes, fake_f2h(float(value))); break;
    default: append(&m->bytes, fake_f2bf(float(value)));
  }
}

double decode(int type, const char *at, size_t i) {
  switch (type) {
    case kF64: return reinterpret_cast<const double *>(at)[i];
    case kF32: return double(reinterpret_cast<const float *>(at)[i]);
    case kF16: return double(fake_h2f(reinterpret_cast<const unsigned short *>(at)[i]));
    default: return double(fake_bf2f(reinterpret_cast<const unsigned short *>(at)[i]));
  }
}

// Small multiples of 1/8 are exact in every format.
Matrix makeMatrix(int type, size_t count, bool nan) {
  Matrix m{type, {}, {}, 0};
  for (size_t i = 0; i < count; i++) {
    m.values.push_back(nan ? NAN : double(int(random_() % 17) - 8) / 8);
    encode(&m, m.values.back());
  }
  m.device = upload(m.bytes, nullptr);
  return m;
}

void *pointer(CUdeviceptr at) { return reinterpret_cast<void *>(at); }

void checkProduct(Handle blas, int ta, int tb, int abType, int cType, int compute, double beta, int batch) {
  const int m = 7, n = 5, k = 9, lda = (ta ? k : m) + 2, ldb = (tb ? n : k) + 1, ldc = m + 3;
  const long long sa = lda * (ta ? m : k), sb = ldb * (tb ? k : n), sc = ldc * n;
  Matrix a = makeMatrix(abType, size_t(sa * batch), false), b = makeMatrix(abType, size_t(sb * batch), false);
  Matrix c = makeMatrix(cType, size_t(sc * batch), beta == 0);
  double alpha64 = 0.5;
  float alpha32 = 0.5f, beta32 = float(beta);
  bool wide = compute == 70;
  const void *alpha = wide ? (void *)&alpha64 : &alpha32, *scale = wide ? (void *)&beta : &beta32;
  if (batch == 1)
    OK(cublas<PlainGemm>("cublasGemmEx")(blas, ta, tb, m, n, k, alpha, pointer(a.device), abType, lda,
                                         pointer(b.device), abType, ldb, scale, pointer(c.device), cType,
                                         ldc, compute, -1));
  else
    OK(cublas<StridedGemm>("cublasGemmStridedBatchedEx")(
        blas, ta, tb, m, n, k, alpha, pointer(a.device), abType, lda, sa, pointer(b.device), abType, ldb, sb,
        scale, pointer(c.device), cType, ldc, sc, batch, compute, -1));
  alpha32 = 99;  // read at the call
  std::vector<char> got = download<char>(c.device, c.bytes.size(), nullptr);
  for (int q = 0; q < batch; q++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int l = 0; l < k; l++)
          sum += a.values[size_t(q * sa + (ta ? i * lda + l : l * lda + i))] *
                 b.values[size_t(q * sb + (tb ? l * ldb + j : j * ldb + l))];
        size_t at = size_t(q * sc + j * ldc + i);
        double want = 0.5 * sum + (beta == 0 ? 0 : beta * c.values[at]);
        double unit = cType == kBF16 ? 1.0 / 128 : cType == kF16 ? 1.0 / 1024 : 1e-6;
        CHECK(std::fabs(decode(cType, got.data(), at) - want) <= unit * std::fmax(1, std::fabs(want)));
      }
  for (CUdeviceptr at : {a.device, b.device, c.device}) OK(CU(cuMemFree_v2)(at));
}

void checkRefusals(Handle blas) {
  float one = 1;
  auto gemm = cublas<PlainGemm>("cublasGemmEx");
  CHECK(gemm(blas, 0, 0, 4, 4, 4, &one, nullptr, kF32, 3, nullptr, kF32, 4, &one, nullptr, kF32, 4, 68, -1) == 7);
  CHECK(gemm(blas, 0, 0, 4, 4, 4, &one, nullptr, kF16, 4, nullptr, kF16, 4, &one, nullptr, kF32, 4, 70, -1) == 15);
  CHECK(gemm(nullptr, 0, 0, 4, 4, 4, &one, nullptr, kF32, 4, nullptr, kF32, 4, &one, nullptr, kF32, 4, 68, -1) == 1);
  CU(fakeFail)("cublasGemmEx", 1, 0);
  CHECK(gemm(blas, 0, 0, 0, 0, 0, &one, nullptr, kF32, 1, nullptr, kF32, 1, &one, nullptr, kF32, 1, 68, -1) == 13);
  OK(gemm(blas, 0, 0, 0, 0, 0, &one, nullptr, kF32, 1, nullptr, kF32, 1, &one, nullptr, kF32, 1, 68, -1));
}
}  // namespace

void testGemm() {
  Handle blas = nullptr;
  OK(cublas<int(Handle *)>("cublasCreate_v2")(&blas));
  OK(cublas<int(Handle, int)>("cublasSetMathMode")(blas, 3));
  CUstream stream;
  OK(CU(cuStreamCreate)(&stream, 1));
  // In order on a stream of its own: the fill must come before the product.
  OK(cublas<int(Handle, CUstream)>("cublasSetStream_v2")(blas, stream));
  CUdeviceptr zeros = allocate(64);
  float one = 1, none = 0;
  OK(CU(cuMemsetD8Async)(zeros, 0, 64, stream));
  OK(cublas<PlainGemm>("cublasGemmEx")(blas, 0, 0, 2, 2, 2, &one, pointer(zeros), kF32, 2, pointer(zeros), kF32,
                                       2, &none, pointer(zeros + 32), kF32, 2, 77, -1));
  CHECK(download<float>(zeros + 32, 4, stream)[3] == 0);
  OK(CU(cuMemFree_v2)(zeros));
  OK(cublas<int(Handle, CUstream)>("cublasSetStream_v2")(blas, nullptr));
  OK(CU(cuStreamDestroy_v2)(stream));
  struct Kind { int ab, c, compute; };
  for (Kind kind : {Kind{kF32, kF32, 68}, Kind{kF32, kF32, 77}, Kind{kF64, kF64, 70}, Kind{kF16, kF16, 68},
                    Kind{kF16, kF32, 68}, Kind{kBF16, kBF16, 68}, Kind{kBF16, kF32, 68}})
    for (int mode = 0; mode < 16; mode++) {
      OK(CU(cuCtxSynchronize)());
      checkProduct(blas, mode & 1, (mode >> 1) & 1, kind.ab, kind.c, kind.compute, mode & 4 ? 0.25 : 0,
                   mode & 8 ? 3 : 1);
    }
  checkRefusals(blas);
  OK(cublas<int(Handle)>("cublasDestroy_v2")(blas));
}

void testHalf() {
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    auto value = (unsigned short)bits;
    bool nan16 = (bits & 0x7fff) > 0x7c00, nanBf = (bits & 0x7fff) > 0x7f80;
    CHECK(nan16 ? std::isnan(fake_h2f(value)) : fake_f2h(fake_h2f(value)) == value);
    CHECK(nanBf ? std::isnan(fake_bf2f(value)) : fake_f2bf(fake_bf2f(value)) == value);
    // Halfway between neighbours goes to the even one, a bit more goes up.
    if ((bits & 0x7fff) >= 0x7bff) continue;
    float low = fake_h2f(value), high = fake_h2f((unsigned short)(bits + 1)), middle = (low + high) / 2;
    CHECK(fake_f2h(middle) == ((bits & 1) ? bits + 1 : bits));
    CHECK(fake_f2h(std::nextafterf(middle, high)) == bits + 1 && fake_f2h(std::nextafterf(middle, low)) == bits);
  }
  CHECK(fake_f2h(65519.0f) == 0x7bff && fake_f2h(65520.0f) == 0x7c00 && fake_f2h(-INFINITY) == 0xfc00);
  CHECK(fake_f2h(2.98023223876953125e-8f) == 0 && fake_f2h(NAN) == 0x7fff && fake_f2bf(NAN) == 0x7fff);
  CHECK(fake_f2bf(fake_float(0x3f808000)) == 0x3f80 && fake_f2bf(fake_float(0x3f818000)) == 0x3f82);
}
