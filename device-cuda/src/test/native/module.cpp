// Modules are shared objects made by the fake NVRTC; launching one of their
// kernels queues it on a stream.
#include "fake.h"
#include "handles.h"
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <map>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {
struct Module {
  Context *context = nullptr;
  int fd = -1;
  void *library = nullptr;
  const FakeKernel *kernels = nullptr;
  FakeVars *(*vars)() = nullptr;
  std::mutex lock;
  std::map<std::string, CUfunction> functions;
  ~Module() {
    if (library) dlclose(library);
    if (fd >= 0) close(fd);
  }
};
struct Function {
  std::shared_ptr<Module> module;
  const FakeKernel *kernel;
};
HandleTable<Module, CUmodule> &modules() {
  static auto *table = new HandleTable<Module, CUmodule>(0x53);
  return *table;
}
HandleTable<Function, CUfunction> &functions() {
  static auto *table = new HandleTable<Function, CUfunction>(0x54);
  return *table;
}
std::atomic<long> launches{0};

// An image comes without its length; the section table is the end of ours.
size_t imageSize(const void *image) {
  Elf64_Ehdr head;
  if (memcmp(image, ELFMAG, SELFMAG) != 0) return 0;
  memcpy(&head, image, sizeof head);
  bool ours = head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_type == ET_DYN &&
              head.e_machine == EM_X86_64 && head.e_shoff != 0;
  return ours ? head.e_shoff + size_t(head.e_shnum) * head.e_shentsize : 0;
}

// The file stays open while loaded: the loader tells libraries apart by path,
// and the path is the number of the file.
bool load(Module &module, const void *image, size_t size) {
  module.fd = memfd_create("fakecuda-module", MFD_CLOEXEC);
  if (module.fd < 0 || write(module.fd, image, size) != ssize_t(size)) return false;
  std::string path = "/proc/self/fd/" + std::to_string(module.fd);
  module.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module.library) return false;
  module.kernels = static_cast<const FakeKernel *>(dlsym(module.library, "fakeKernels"));
  module.vars = reinterpret_cast<FakeVars *(*)()>(dlsym(module.library, "fakeVars"));
  return module.kernels && module.vars;
}

const FakeKernel *findKernel(const Module &module, const char *name) {
  for (const FakeKernel *kernel = module.kernels; kernel->name; kernel++)
    if (strcmp(kernel->name, name) == 0) return kernel;
  return nullptr;
}

struct Launch {
  std::shared_ptr<Function> function;
  FakeDim grid, block;
  unsigned sharedBytes;
  std::vector<std::vector<uint64_t>> params;  // words, so that each is aligned
  std::vector<uint64_t> addresses;            // device addresses found in them
};

// A device may touch its own memory, what it opened from other processes, and
// that of peers it enabled.
bool reachable(const Context &context, const Block &block) {
  return block.device == context.device || block.context == &context ||
         peerEnabled(context, block.device);
}

// Takes the bytes of a parameter now, and turns device addresses in them into
// the place of the real bytes. Addresses need not be live: an unused dangling
// one is legal, and a used one faults.
void takeParam(Launch &launch, const void *from, size_t size) {
  std::vector<uint64_t> words((size + 7) / 8);
  memcpy(words.data(), from, size);
  for (size_t i = 0; i < size / 8; i++) {
    if (!inReservation(words[i])) continue;
    if (blockAt(words[i])) launch.addresses.push_back(words[i]);
    words[i] = shadow(words[i]);
  }
  launch.params.push_back(std::move(words));
}

CUresult execute(Launch &launch) {
  Module &module = *launch.function->module;
  for (uint64_t address : launch.addresses) {
    std::shared_ptr<Block> block = blockAt(address);
    if (!block || !reachable(*module.context, *block)) return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  std::vector<void *> args;
  for (auto &words : launch.params) args.push_back(words.data());
  runGrid(*launch.function->kernel, module.vars(), launch.grid, launch.block, launch.sharedBytes,
          args.data());
  return CUDA_SUCCESS;
}

bool goodShape(FakeDim grid, FakeDim block, unsigned sharedBytes) {
  bool gridFits = grid.x && grid.y && grid.z && grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535;
  bool blockFits = block.x && block.y && block.z && block.x <= 1024 && block.y <= 1024 && block.z <= 64;
  return gridFits && blockFits && uint64_t(block.x) * block.y * block.z <= 1024 && sharedBytes <= 49152;
}
}  // namespace

API CUresult cuModuleLoadData(CUmodule *handle, const void *image) {
  if (CUresult code = enter(__func__)) return code;
  if (!handle || !image) return CUDA_ERROR_INVALID_VALUE;
  size_t size = imageSize(image);
  auto module = std::make_shared<Module>();
  module->context = current();
  if (size == 0 || !load(*module, image, size)) return CUDA_ERROR_INVALID_IMAGE;
  *handle = modules().add(module);
  return CUDA_SUCCESS;
}

// Launches still queued keep the code alive until they are over.
API CUresult cuModuleUnload(CUmodule handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Module> module = modules().take(handle);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard<std::mutex> hold(module->lock);
  for (auto &entry : module->functions) functions().take(entry.second);
  return CUDA_SUCCESS;
}

API CUresult cuModuleGetFunction(CUfunction *handle, CUmodule moduleHandle, const char *name) {
  if (CUresult code = enter(__func__)) return code;
  if (!handle || !name) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Module> module = modules().find(moduleHandle);
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  const FakeKernel *kernel = findKernel(*module, name);
  if (!kernel) return CUDA_ERROR_NOT_FOUND;
  std::lock_guard<std::mutex> hold(module->lock);
  CUfunction &known = module->functions[name];
  if (!known) known = functions().add(std::make_shared<Function>(Function{module, kernel}));
  *handle = known;
  return CUDA_SUCCESS;
}

API CUresult cuLaunchKernel(CUfunction handle, unsigned gridX, unsigned gridY, unsigned gridZ,
                            unsigned blockX, unsigned blockY, unsigned blockZ,
                            unsigned sharedBytes, CUstream streamHandle, void **params, void **extra) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Function> function = functions().find(handle);
  std::shared_ptr<Stream> stream = findStream(streamHandle);
  if (!function || !stream) return CUDA_ERROR_INVALID_HANDLE;
  bool sameContext = stream->context == current() && function->module->context == current();
  if (!sameContext) return CUDA_ERROR_INVALID_HANDLE;
  auto launch = std::make_shared<Launch>();
  launch->function = function;
  launch->grid = {gridX, gridY, gridZ};
  launch->block = {blockX, blockY, blockZ};
  launch->sharedBytes = sharedBytes;
  if (extra || !goodShape(launch->grid, launch->block, sharedBytes)) return CUDA_ERROR_INVALID_VALUE;
  for (int i = 0; i < function->kernel->params; i++) {
    if (!params || !params[i]) return CUDA_ERROR_INVALID_VALUE;
    takeParam(*launch, params[i], function->kernel->sizes[i]);
  }
  launches++;
  stream->push([launch] { return execute(*launch); });
  return CUDA_SUCCESS;
}

API long fakeLiveModules(void) { return modules().count(); }
API long fakeLaunches(void) { return launches; }
