// What the source files of the fake driver share.
#pragma once
#include "cuda_api.h"
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>

// ---- config.cpp: the environment variable and error injection
struct Config {
  int devices = 2;
  uint64_t memory = 1ull << 30;
  uint64_t seed = 1;
  int delay = 50;      // longest random delay before an operation, microseconds
  int driver = 13000;  // what cuDriverGetVersion reports
  bool peer = true;    // whether devices can reach each other
  double failRate = 0;
  bool valid = true;
};
const Config &config();
CUresult injected(const char *function);

// ---- device.cpp: contexts. One per device, as only primary ones exist here.
struct Stream;
struct Context {
  int device = 0;
  int references = 0;
  std::atomic<CUresult> error{0};  // sticky, as after a failed kernel
  std::shared_ptr<Stream> nullStream;
  std::set<int> peers;  // devices whose memory kernels here may touch
};
constexpr int kMaxDevices = 16;
enum class Need { Nothing, Init, Context };
// Every entry point starts here; a non-zero result is what it must return.
CUresult enter(const char *function, Need need = Need::Context);
Context *current();
Context *liveContext(CUcontext handle);
std::shared_ptr<Stream> nullStreamOf(Context *context);
bool peerEnabled(const Context &context, int device);

// ---- memory.cpp: device blocks and page-locked host memory
struct Block {
  uint64_t base = 0;
  size_t bytes = 0, mapped = 0;
  int device = 0, fd = -1;
  uint64_t id = 0;          // unique in this process, part of the memfd's name
  bool imported = false;    // opened from another process's handle
  Context *context = nullptr;  // where it was allocated or opened
  int opens = 0;            // for imported: how often it was opened
  std::string origin;       // for imported: the handle's bytes
};
std::shared_ptr<Block> blockAt(uint64_t address);
void *translate(uint64_t address, size_t bytes);  // null unless inside one live block
bool inReservation(uint64_t word);
uint64_t shadow(uint64_t address);                // the real bytes of an address, unchecked
bool pinned(const void *address, size_t bytes);
std::string memoryName(uint64_t id);
CUresult importBlock(Block wanted, CUdeviceptr *address);
CUresult closeBlock(CUdeviceptr address);

// ---- stream.cpp
struct Stream {
  explicit Stream(Context *owner, uint64_t number);
  // Returns a ticket for waitFor. Work marked always runs even after an error,
  // so that events complete and nobody hangs.
  uint64_t push(std::function<CUresult()> work, bool always = false);
  void waitFor(uint64_t ticket);
  void drain();
  bool idle();
  void close();
  Context *const context;

 private:
  static void loop(std::shared_ptr<Stream> self);
  friend std::shared_ptr<Stream> startStream(Context *context);
  void pause();
  struct Item { std::function<CUresult()> work; bool always; };
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Item> queue;
  uint64_t pushed = 0, done = 0;
  bool closing = false, ended = false;
  std::mt19937_64 random;
};
std::shared_ptr<Stream> startStream(Context *context);
std::shared_ptr<Stream> findStream(CUstream handle);  // null when it is no stream
void drainContext(Context *context);

// ---- event.cpp: completion is kept in one page that processes can share
struct EventSlot { std::atomic<uint64_t> done, pid, start; };
struct EventPage {
  static constexpr int kSlots = 64;
  std::atomic<uint64_t> next, recorded;
  std::atomic<uint32_t> bell;
  EventSlot slots[kSlots];
};
struct Event {
  Context *context = nullptr;
  unsigned flags = 0;
  int fd = -1;
  uint64_t id = 0;
  bool imported = false;
  EventPage *page = nullptr;
  ~Event();
};
std::shared_ptr<Event> findEvent(CUevent handle);
CUevent keepEvent(std::shared_ptr<Event> event);
std::string eventName(uint64_t id);

// ---- process.cpp
uint64_t startTime(long pid);  // 0 when the process is gone or a zombie
uint64_t ownStartTime();
bool processAlive(long pid, uint64_t start);
int openForeign(long pid, int fd, const std::string &name);  // -1 unless it is that memfd

// ---- fiber.cpp: runs the threads of a grid on the calling thread
#include "kernel_abi.h"
void runGrid(const FakeKernel &kernel, FakeVars *vars, FakeDim grid, FakeDim block,
             unsigned sharedBytes, void **args);
