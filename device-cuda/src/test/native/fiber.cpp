// Runs the threads of a block one after the other on the calling thread. Each
// runs on a fiber, so that it can stop at a barrier until the others come. A
// fiber that never meets a barrier goes on to the next thread, so kernels
// without barriers are a plain loop.
#include "fake.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <vector>

// Switches stacks: stores where we are in *from and goes on at to. Written out
// because swapcontext makes a system call each time.
extern "C" void fakeSwitch(void **from, void *to);
asm(R"(
.text
.hidden fakeSwitch
.globl fakeSwitch
.type fakeSwitch, @function
fakeSwitch:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
.size fakeSwitch, .-fakeSwitch
)");

namespace {
constexpr size_t kStack = 64 << 10, kGuard = 4096, kWarps = 32;

struct Fiber {
  void *place = nullptr;  // its stack pointer while it does not run
  char *stack = nullptr;
  FakeDim thread{};
  bool waiting = false;   // at a barrier, as opposed to without a thread to run
  unsigned lanes = 0;     // those of its warp that it waits for; 0 at a barrier of the block
};

void fiberMain();

// The page below the stack stays closed, so an overflow faults.
Fiber *makeFiber() {
  auto *fiber = new Fiber;
  void *got = mmap(nullptr, kStack + kGuard, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) abort();
  fiber->stack = static_cast<char *>(got);
  mprotect(fiber->stack, kGuard, PROT_NONE);
  void **top = reinterpret_cast<void **>(fiber->stack + kGuard + kStack);
  *--top = nullptr;  // where a caller's return address would be, for alignment
  *--top = reinterpret_cast<void *>(fiberMain);
  for (int i = 0; i < 6; i++) *--top = nullptr;  // the registers that fakeSwitch pops
  fiber->place = top;
  return fiber;
}

// One per thread of the host; keeps its fibers for the next launch.
struct Runner {
  std::vector<Fiber *> idle, waiting, ready, wave;
  std::vector<Fiber *> warps[kWarps];  // those at a barrier of each warp
  unsigned inWarps = 0;                // how many these are
  Fiber *running = nullptr;
  void *home = nullptr;  // the stack of runGrid
  const FakeKernel *kernel = nullptr;
  FakeVars *vars = nullptr;
  void **args = nullptr;
  FakeDim next{};        // the next thread of the block to start
  bool more = false;     // whether there is one

  void runBlock();
  void start();
  void resume(Fiber *fiber);
  void advance();
  void joinWarp(Fiber *fiber);
  ~Runner() {
    for (Fiber *fiber : idle) {
      munmap(fiber->stack, kStack + kGuard);
      delete fiber;
    }
  }
};
thread_local Runner runner;

void Runner::advance() {
  const FakeDim &size = vars->blockSize;
  if (++next.x < size.x) return;
  next.x = 0;
  if (++next.y < size.y) return;
  next.y = 0;
  more = ++next.z < size.z;
}

// Takes threads until the block has no more, then sleeps until the next block.
void fiberMain() {
  Runner &mine = runner;  // fibers never change their thread
  for (;;) {
    Fiber *self = mine.running;
    while (mine.more) {
      self->thread = mine.vars->thread = mine.next;
      mine.advance();
      mine.kernel->run(mine.args);
    }
    fakeSwitch(&self->place, mine.home);
  }
}

void wait(unsigned lanes) {
  Runner &mine = runner;
  Fiber *self = mine.running;
  self->waiting = true;
  self->lanes = lanes;
  fakeSwitch(&self->place, mine.home);
}

void barrier() { wait(0); }

// Lanes that the block does not have are not waited for.
void warpBarrier(unsigned lanes) {
  const FakeDim &size = runner.vars->blockSize, &at = runner.running->thread;
  unsigned first = ((at.z * size.y + at.y) * size.x + at.x) & ~31u;
  unsigned threads = size.x * size.y * size.z - first;
  unsigned there = threads < 32 ? (1u << threads) - 1 : ~0u;
  wait(lanes & there);
}

// Lets the lanes of a warp on when the last of them comes.
void Runner::joinWarp(Fiber *fiber) {
  const FakeDim &size = vars->blockSize, &at = fiber->thread;
  std::vector<Fiber *> &warp = warps[((at.z * size.y + at.y) * size.x + at.x) / 32];
  warp.push_back(fiber);
  inWarps++;
  if (warp.size() < size_t(__builtin_popcount(fiber->lanes))) return;
  ready.insert(ready.end(), warp.begin(), warp.end());
  inWarps -= unsigned(warp.size());
  warp.clear();
}

void Runner::resume(Fiber *fiber) {
  running = fiber;
  fiber->waiting = false;
  vars->thread = fiber->thread;
  fakeSwitch(&home, fiber->place);
  if (fiber->waiting && fiber->lanes)
    joinWarp(fiber);
  else
    (fiber->waiting ? waiting : idle).push_back(fiber);
}

void Runner::start() {
  if (idle.empty()) idle.push_back(makeFiber());
  Fiber *fiber = idle.back();
  idle.pop_back();
  resume(fiber);
}

// Starts all threads, then lets those at a barrier on, as often as needed.
// Threads that returned early do not count at a barrier of the block.
void Runner::runBlock() {
  next = {0, 0, 0};
  more = true;
  while (more) start();
  while (!ready.empty() || !waiting.empty()) {
    if (ready.empty() && inWarps) break;
    wave.swap(ready.empty() ? waiting : ready);
    for (Fiber *fiber : wave) resume(fiber);
    wave.clear();
  }
  if (!inWarps) return;
  fputs("fake CUDA: a kernel hangs: a lane does not come to the barrier of its warp\n", stderr);
  abort();
}
}  // namespace

void runGrid(const FakeKernel &kernel, FakeVars *vars, FakeDim grid, FakeDim block,
             unsigned sharedBytes, void **args) {
  std::vector<char> shared(sharedBytes + 16);
  Runner &mine = runner;
  mine.kernel = &kernel;
  mine.vars = vars;
  mine.args = args;
  vars->blockSize = block;
  vars->gridSize = grid;
  vars->barrier = barrier;
  vars->warpBarrier = warpBarrier;
  vars->dynamicShared = shared.data() + (16 - uint64_t(shared.data()) % 16) % 16;
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x; x++) {
        memset(shared.data(), 0xFF, shared.size());  // a new block finds no old values
        vars->block = {x, y, z};
        mine.runBlock();
      }
}
