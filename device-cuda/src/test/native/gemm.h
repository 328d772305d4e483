// A matrix product as cuBLAS understands it: column by column in memory.
#pragma once
#include "cuda_api.h"

enum : int { kF32 = 0, kF64 = 1, kF16 = 2, kBF16 = 14 };
struct Gemm {
  int transA, transB, m, n, k, batch;
  CUdeviceptr a, b, c;
  int aType, bType, cType;
  long lda, ldb, ldc;
  long long strideA, strideB, strideC;
  double alpha, beta;
  bool wide;  // whether to compute in double
};
CUresult runGemm(const Gemm &gemm);
