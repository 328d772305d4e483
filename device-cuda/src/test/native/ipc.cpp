// Handles with which one process opens another's memory and events. They name
// the owner's memory file, which is reached through /proc/PID/fd.
#include "fake.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace {
constexpr uint64_t kMemory = 0x4d454d2d46414b45, kEvent = 0x4556542d46414b45;
struct Name {
  uint64_t magic, pid, start, id, bytes;
  int32_t fd, device;
};
static_assert(sizeof(Name) <= 64, "must fit into a CUDA handle");

template <class Handle> void write(Handle *handle, Name name) {
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &name, sizeof name);
}

// Checks a handle and opens the file it names.
CUresult openName(const void *handle, uint64_t magic, Name *name, int *fd) {
  memcpy(name, handle, sizeof *name);
  if (name->magic != magic) return CUDA_ERROR_INVALID_VALUE;
  if (name->device < 0 || name->device >= config().devices) return CUDA_ERROR_INVALID_DEVICE;
  bool own = name->pid == uint64_t(getpid()) && name->start == ownStartTime();
  if (own) return CUDA_ERROR_INVALID_CONTEXT;  // only for other processes, as the real one
  if (!processAlive(long(name->pid), name->start)) return CUDA_ERROR_INVALID_HANDLE;
  std::string file = magic == kMemory ? memoryName(name->id) : eventName(name->id);
  *fd = openForeign(long(name->pid), name->fd, file);
  return *fd >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
}  // namespace

API CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Block> block = blockAt(address);
  if (!handle || !block || block->imported) return CUDA_ERROR_INVALID_VALUE;
  write(handle, Name{kMemory, uint64_t(getpid()), ownStartTime(), block->id, block->bytes,
                     block->fd, block->device});
  return CUDA_SUCCESS;
}

API CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags) {
  if (CUresult code = enter(__func__)) return code;
  if (!address || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) return CUDA_ERROR_INVALID_VALUE;
  Name name;
  Block block;
  if (CUresult code = openName(&handle, kMemory, &name, &block.fd)) return code;
  bool reachable = name.device == current()->device || config().peer;
  if (!reachable) {
    close(block.fd);
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  }
  block.bytes = name.bytes;
  block.device = name.device;
  block.context = current();
  block.origin.assign(handle.reserved, sizeof handle.reserved);
  return importBlock(block, address);
}

API CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  if (CUresult code = enter(__func__)) return code;
  return closeBlock(address);
}

API CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent eventHandle) {
  if (CUresult code = enter(__func__)) return code;
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Event> event = findEvent(eventHandle);
  bool shareable = event && !event->imported && (event->flags & CU_EVENT_INTERPROCESS);
  if (!shareable) return CUDA_ERROR_INVALID_HANDLE;
  write(handle, Name{kEvent, uint64_t(getpid()), ownStartTime(), event->id, sizeof(EventPage),
                     event->fd, event->context->device});
  return CUDA_SUCCESS;
}

API CUresult cuIpcOpenEventHandle(CUevent *eventHandle, CUipcEventHandle handle) {
  if (CUresult code = enter(__func__)) return code;
  if (!eventHandle) return CUDA_ERROR_INVALID_VALUE;
  Name name;
  auto event = std::make_shared<Event>();
  if (CUresult code = openName(&handle, kEvent, &name, &event->fd)) return code;
  void *got = mmap(nullptr, sizeof(EventPage), PROT_READ | PROT_WRITE, MAP_SHARED, event->fd, 0);
  if (got == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  event->page = static_cast<EventPage *>(got);
  event->context = current();
  event->flags = CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  event->imported = true;
  *eventHandle = keepEvent(event);
  return CUDA_SUCCESS;
}
