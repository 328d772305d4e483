// Device memory. Addresses handed out lie in a reservation nobody may touch;
// the real bytes are mapped at the same offset of a second one, so that a host
// which uses a device address directly is caught at once.
#include "fake.h"
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace {
constexpr uint64_t kSpan = 1ull << 40, kPage = 4096;

struct HostBlock { size_t bytes, mapped; };
struct Memory {
  std::mutex lock;
  uint64_t base = 0, cursor = 0, nextId = 0;
  std::map<uint64_t, std::shared_ptr<Block>> blocks;
  std::map<uint64_t, HostBlock> hosts;
  size_t used[kMaxDevices] = {};
  Memory() {
    void *both = mmap(nullptr, 2 * kSpan, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (both != MAP_FAILED) base = uint64_t(both);
    cursor = base;
  }
};
Memory &memory() {
  static Memory *instance = new Memory;  // never destroyed: streams may still run
  return *instance;
}
using Hold = std::lock_guard<std::mutex>;

uint64_t roundUp(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }
void *bytesOf(uint64_t address) { return reinterpret_cast<void *>(shadow(address)); }

// Looks onward from the last place, so an address comes back as late as
// possible, and leaves an unmapped page behind each block.
uint64_t findRoom(uint64_t bytes) {
  Memory &m = memory();
  for (int round = 0; m.base && round < 2; round++, m.cursor = m.base) {
    uint64_t at = m.cursor;
    auto next = m.blocks.lower_bound(at);
    while (next != m.blocks.end() && next->first < at + bytes + kPage) {
      at = next->first + next->second->mapped + kPage;
      ++next;
    }
    if (at + bytes + kPage > m.base + kSpan) continue;
    m.cursor = at + bytes + kPage;
    return at;
  }
  return 0;
}

// Maps the file and lists the block; the caller holds the lock.
bool place(const std::shared_ptr<Block> &block) {
  block->mapped = roundUp(block->bytes);
  block->base = findRoom(block->mapped);
  if (!block->base) return false;
  void *got = mmap(bytesOf(block->base), block->mapped, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_FIXED, block->fd, 0);
  if (got == MAP_FAILED) return false;
  memory().blocks[block->base] = block;
  return true;
}

void remove(const std::shared_ptr<Block> &block) {
  mmap(bytesOf(block->base), block->mapped, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (block->fd >= 0) close(block->fd);
  memory().blocks.erase(block->base);
}

std::shared_ptr<Block> blockAtLocked(uint64_t address) {
  Memory &m = memory();
  auto next = m.blocks.upper_bound(address);
  if (next == m.blocks.begin()) return nullptr;
  std::shared_ptr<Block> block = std::prev(next)->second;
  return address - block->base < block->bytes ? block : nullptr;
}

std::shared_ptr<Block> exactBlock(uint64_t address, bool imported) {
  Hold hold(memory().lock);
  auto found = memory().blocks.find(address);
  bool good = found != memory().blocks.end() && found->second->imported == imported;
  return good ? found->second : nullptr;
}

std::shared_ptr<Block> makeBlock(size_t bytes) {
  auto block = std::make_shared<Block>();
  Memory &m = memory();
  Hold hold(m.lock);
  int device = current()->device;
  if (bytes > config().memory || m.used[device] + bytes > config().memory) return nullptr;
  block->bytes = bytes;
  block->device = device;
  block->context = current();
  block->id = ++m.nextId;
  block->fd = memfd_create(memoryName(block->id).c_str(), MFD_CLOEXEC);
  if (block->fd < 0) return nullptr;
  if (ftruncate(block->fd, off_t(roundUp(bytes))) != 0 || !place(block)) {
    close(block->fd);
    return nullptr;
  }
  m.used[device] += bytes;
  return block;
}
}  // namespace

std::string memoryName(uint64_t id) { return "fakecuda-memory-" + std::to_string(id); }
bool inReservation(uint64_t word) { return word - memory().base < kSpan; }
uint64_t shadow(uint64_t address) { return address + kSpan; }

std::shared_ptr<Block> blockAt(uint64_t address) {
  Hold hold(memory().lock);
  return blockAtLocked(address);
}

void *translate(uint64_t address, size_t bytes) {
  Hold hold(memory().lock);
  std::shared_ptr<Block> block = blockAtLocked(address);
  bool inside = block && bytes <= block->bytes - (address - block->base);
  return inside ? bytesOf(address) : nullptr;
}

bool pinned(const void *address, size_t bytes) {
  Memory &m = memory();
  Hold hold(m.lock);
  uint64_t at = uint64_t(address);
  auto next = m.hosts.upper_bound(at);
  if (next == m.hosts.begin()) return false;
  --next;
  uint64_t offset = at - next->first;
  return offset < next->second.bytes && bytes <= next->second.bytes - offset;
}

// One block is mapped once per device that opens it, and counted after that.
CUresult importBlock(Block wanted, CUdeviceptr *address) {
  Memory &m = memory();
  Hold hold(m.lock);
  for (auto &entry : m.blocks) {
    Block &block = *entry.second;
    if (!block.imported || block.origin != wanted.origin || block.context != wanted.context) continue;
    close(wanted.fd);
    block.opens++;
    *address = block.base;
    return CUDA_SUCCESS;
  }
  auto block = std::make_shared<Block>(wanted);
  block->imported = true;
  block->opens = 1;
  bool placed = place(block);
  close(block->fd);  // the mapping holds the memory from here on
  block->fd = -1;
  if (placed) *address = block->base;
  return placed ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult closeBlock(CUdeviceptr address) {
  std::shared_ptr<Block> block = exactBlock(address, true);
  if (!block) return CUDA_ERROR_INVALID_VALUE;
  drainContext(block->context);
  Hold hold(memory().lock);
  if (block->opens == 0) return CUDA_ERROR_INVALID_VALUE;
  if (--block->opens == 0) remove(block);
  return CUDA_SUCCESS;
}

API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  if (CUresult code = enter(__func__)) return code;
  if (!address || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Block> block = makeBlock(bytes);
  if (!block) return CUDA_ERROR_OUT_OF_MEMORY;
  memset(bytesOf(block->base), 0xFF, block->mapped);  // NaN, so unwritten memory shows
  *address = block->base;
  return CUDA_SUCCESS;
}

API CUresult cuMemFree_v2(CUdeviceptr address) {
  if (CUresult code = enter(__func__)) return code;
  if (address == 0) return CUDA_SUCCESS;
  std::shared_ptr<Block> block = exactBlock(address, false);
  if (!block) return CUDA_ERROR_INVALID_VALUE;
  drainContext(block->context);
  Memory &m = memory();
  Hold hold(m.lock);
  auto found = m.blocks.find(address);
  if (found == m.blocks.end() || found->second != block) return CUDA_ERROR_INVALID_VALUE;
  m.used[block->device] -= block->bytes;
  remove(block);
  return CUDA_SUCCESS;
}

API CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  if (CUresult code = enter(__func__)) return code;
  if (!free || !total) return CUDA_ERROR_INVALID_VALUE;
  Hold hold(memory().lock);
  *total = config().memory;
  *free = *total - memory().used[current()->device];
  return CUDA_SUCCESS;
}

API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  if (CUresult code = enter(__func__)) return code;
  Hold hold(memory().lock);
  std::shared_ptr<Block> block = blockAtLocked(address);
  if (!block) return CUDA_ERROR_NOT_FOUND;
  if (base) *base = block->base;
  if (bytes) *bytes = block->bytes;
  return CUDA_SUCCESS;
}

API CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  if (CUresult code = enter(__func__)) return code;
  if (!address || bytes == 0 || flags > 7) return CUDA_ERROR_INVALID_VALUE;
  size_t mapped = roundUp(bytes);
  void *got = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  memset(got, 0xFF, mapped);
  Hold hold(memory().lock);
  memory().hosts[uint64_t(got)] = {bytes, mapped};
  *address = got;
  return CUDA_SUCCESS;
}

API CUresult cuMemFreeHost(void *address) {
  if (CUresult code = enter(__func__)) return code;
  if (!pinned(address, 1)) return CUDA_ERROR_INVALID_VALUE;
  drainContext(current());
  Hold hold(memory().lock);
  auto found = memory().hosts.find(uint64_t(address));
  if (found == memory().hosts.end()) return CUDA_ERROR_INVALID_VALUE;
  munmap(address, found->second.mapped);
  memory().hosts.erase(found);
  return CUDA_SUCCESS;
}

// The counters leave out what was opened from another process.
static long sum(int device, bool bytes) {
  Hold hold(memory().lock);
  long total = 0;
  for (auto &entry : memory().blocks) {
    const Block &block = *entry.second;
    if (!block.imported && block.device == device) total += bytes ? long(block.bytes) : 1;
  }
  return total;
}
API long fakeLiveBlocks(int device) { return sum(device, false); }
API long fakeLiveBytes(int device) { return sum(device, true); }
API long fakeLiveHostBlocks(void) {
  Hold hold(memory().lock);
  return long(memory().hosts.size());
}
API long fakeOpenHandles(void) {
  Hold hold(memory().lock);
  long total = 0;
  for (auto &entry : memory().blocks) total += entry.second->opens;
  return total;
}
API void *fakeTranslate(CUdeviceptr address, size_t bytes) { return translate(address, bytes); }
