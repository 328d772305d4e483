// Copies and fills. Addresses are checked when called and again when the
// stream gets there, since the host may free memory too early.
#include "fake.h"
#include <cstring>
#include <vector>

namespace {
// The checks that all copies share; gives the stream to use.
CUresult prepare(CUstream handle, std::shared_ptr<Stream> *stream) {
  *stream = findStream(handle);
  if (!*stream) return CUDA_ERROR_INVALID_HANDLE;
  return (*stream)->context->error;
}

CUresult copyWithin(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream handle) {
  std::shared_ptr<Stream> stream;
  if (CUresult code = prepare(handle, &stream)) return code;
  if (bytes == 0) return CUDA_SUCCESS;
  if (!translate(to, bytes) || !translate(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  stream->push([=] {
    void *target = translate(to, bytes), *source = translate(from, bytes);
    if (!target || !source) return CUDA_ERROR_ILLEGAL_ADDRESS;
    memmove(target, source, bytes);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}
}  // namespace

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Stream> stream;
  if (CUresult code = prepare(handle, &stream)) return code;
  if (bytes == 0) return CUDA_SUCCESS;
  if (!from || inReservation(uint64_t(from)) || !translate(to, bytes)) return CUDA_ERROR_INVALID_VALUE;
  // Ordinary memory is read now, page-locked memory only when the stream gets there.
  bool late = pinned(from, bytes);
  auto staged = std::make_shared<std::vector<char>>();
  const char *start = static_cast<const char *>(from);
  if (!late) staged->assign(start, start + bytes);
  stream->push([=] {
    void *target = translate(to, bytes);
    if (!target || (late && !pinned(from, bytes))) return CUDA_ERROR_ILLEGAL_ADDRESS;
    memcpy(target, late ? from : staged->data(), bytes);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Stream> stream;
  if (CUresult code = prepare(handle, &stream)) return code;
  if (bytes == 0) return CUDA_SUCCESS;
  if (!to || inReservation(uint64_t(to)) || !translate(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  bool late = pinned(to, bytes);
  uint64_t ticket = stream->push([=] {
    void *source = translate(from, bytes);
    if (!source || (late && !pinned(to, bytes))) return CUDA_ERROR_ILLEGAL_ADDRESS;
    memcpy(to, source, bytes);
    return CUDA_SUCCESS;
  });
  if (late) return CUDA_SUCCESS;
  stream->waitFor(ticket);  // as for ordinary memory on the real driver
  return stream->context->error;
}

API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  return copyWithin(to, from, bytes, handle);
}

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                               CUcontext fromContext, size_t bytes, CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  if (!liveContext(toContext) || !liveContext(fromContext)) return CUDA_ERROR_INVALID_CONTEXT;
  if (bytes == 0) return copyWithin(to, from, 0, handle);
  std::shared_ptr<Block> target = blockAt(to), source = blockAt(from);
  if (!target || !source || target->context != toContext || source->context != fromContext)
    return CUDA_ERROR_INVALID_VALUE;
  return copyWithin(to, from, bytes, handle);
}

API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Stream> stream;
  if (CUresult code = prepare(handle, &stream)) return code;
  if (count == 0) return CUDA_SUCCESS;
  if (!translate(to, count)) return CUDA_ERROR_INVALID_VALUE;
  stream->push([=] {
    void *target = translate(to, count);
    if (!target) return CUDA_ERROR_ILLEGAL_ADDRESS;
    memset(target, value, count);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}
