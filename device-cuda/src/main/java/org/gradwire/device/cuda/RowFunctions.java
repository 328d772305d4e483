package org.gradwire.device.cuda;

/** The CUDA C++ functions of kernels of rows, which the threads of a block compute together. */
final class RowFunctions {
    static final String BLOCK =
            """
            #define EACH(t) for (unsigned t = threadIdx.x; t < n; t += blockDim.x)
            struct Two { C x, y; };
            // The position of the first element of a row, where the last dimension is a row.
            __device__ __forceinline__ long long row_at(const Layout& l, unsigned row) {
                long long position = 0;
                for (int d = l.dims - 2; d > 0; d--) {
                    unsigned rest = row / (unsigned) l.sizes[d];
                    position += (long long) (row - rest * (unsigned) l.sizes[d]) * l.strides[d];
                    row = rest;
                }
                return position + (long long) row * l.strides[0];
            }
            // The same result for all threads of a row, of which there is a power of two.
            template <typename T, typename Join> __device__ T joined(T mine, Join join) {
                __shared__ T parts[256];
                if (blockDim.x == 1) { return mine; }
                unsigned at = threadIdx.y * blockDim.x + threadIdx.x;
                __syncthreads();
                parts[at] = mine;
                __syncthreads();
                for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
                    if (threadIdx.x < half) {
                        parts[at] = join(parts[at], parts[at + half]);
                    }
                    __syncthreads();
                }
                return parts[threadIdx.y * blockDim.x];
            }
            // The join of the parts of the threads before this one in a row. Each warp joins its
            // own; then each thread joins those of the warps before.
            template <typename T, typename Join>
            __device__ T preceding(T mine, T& all, Join join, T none) {
                __shared__ T parts[256];
                if (blockDim.x == 1) {
                    all = mine;
                    return none;
                }
                unsigned at = threadIdx.y * blockDim.x + threadIdx.x;
                unsigned width = min(blockDim.x, 32u), lane = threadIdx.x % width;
                __syncthreads();
                parts[at] = mine;
                __syncwarp();
                for (unsigned step = 1; step < width; step *= 2) {
                    if (lane >= step) { mine = join(parts[at - step], mine); }
                    __syncwarp();
                    parts[at] = mine;
                    __syncwarp();
                }
                T inside = lane > 0 ? parts[at - 1] : none;
                if (blockDim.x == width) {
                    all = parts[at - lane + width - 1];
                    return inside;
                }
                __syncthreads();
                T before = none;
                all = parts[31];
                for (unsigned last = 63; last < blockDim.x; last += 32) {
                    if (last - 31 == threadIdx.x - lane) { before = all; }
                    all = join(all, parts[last]);
                }
                if (threadIdx.x < 32) { return inside; }
                return lane > 0 ? join(before, inside) : before;
            }
            // The sum of this thread's number and those of the threads before it in a row.
            __device__ C scanned(C mine, C& all) {
                return preceding(mine, all, [](C x, C y) { return x + y; }, N(0)) + mine;
            }
            template <typename Term> __device__ C sum(Term term, unsigned n) {
                C mine = N(0);
                EACH(t) { mine += term(t); }
                return joined(mine, [](C x, C y) { return x + y; });
            }
            template <typename Term> __device__ Two sum_two(Term term, unsigned n) {
                Two mine = {N(0), N(0)};
                EACH(t) { Two next = term(t); mine.x += next.x; mine.y += next.y; }
                return joined(mine, [](Two a, Two b) { return Two {a.x + b.x, a.y + b.y}; });
            }
            template <typename Term> __device__ C largest(Term term, unsigned n) {
                C mine = term(0);
                EACH(t) { C next = term(t); mine = next > mine || next != next ? next : mine; }
                return joined(mine, [](C x, C y) { return x > y || x != x ? x : y; });
            }
            template <typename Term> __device__ C smallest(Term term, unsigned n) {
                C mine = term(0);
                EACH(t) { C next = term(t); mine = next < mine || next != next ? next : mine; }
                return joined(mine, [](C x, C y) { return x < y || x != x ? x : y; });
            }
            template <typename Term> __device__ C product(Term term, unsigned n) {
                C mine = N(1);
                EACH(t) { mine *= term(t); }
                return joined(mine, [](C x, C y) { return x * y; });
            }
            // A number that rises with an element; all NaN have the highest, and -0.0 has that of 0.0.
            __device__ long long key_of(float v) {
                int bits = __float_as_int(v == 0 ? 0.0f : v);
                return v != v ? 0x7fffffff : bits ^ (bits >> 31 & 0x7fffffff);
            }
            __device__ long long key_of(double v) {
                long long most = 0x7fffffffffffffff;
                long long bits = __double_as_longlong(v == 0 ? 0.0 : v);
                return v != v ? most : bits ^ (bits >> 63 & most);
            }
            __device__ long long key_of(int v) { return v; }
            __device__ long long key_of(long long v) { return v; }
            """;

    private RowFunctions() {}
}
