// A stream is a thread that works through a queue in order.
#include "fake.h"
#include "handles.h"
#include <algorithm>
#include <csignal>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {
using Hold = std::unique_lock<std::mutex>;
HandleTable<Stream, CUstream> &handles() {
  static auto *table = new HandleTable<Stream, CUstream>(0x51);
  return *table;
}
// All streams whose thread still runs, also destroyed ones with work left.
struct Running {
  std::mutex lock;
  std::vector<std::shared_ptr<Stream>> streams;
  uint64_t started = 0;
};
Running &running() {
  static Running *instance = new Running;
  return *instance;
}

// Signals meant for the process must not land on our threads; faults may.
void blockSignals(sigset_t *before) {
  sigset_t set;
  sigfillset(&set);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&set, fault);
  pthread_sigmask(SIG_SETMASK, &set, before);
}
}  // namespace

Stream::Stream(Context *owner, uint64_t number)
    : context(owner), random(config().seed * 1000003 + number) {}

std::shared_ptr<Stream> startStream(Context *context) {
  Running &all = running();
  Hold hold(all.lock);
  auto stream = std::make_shared<Stream>(context, ++all.started);
  sigset_t before;
  blockSignals(&before);
  std::thread(Stream::loop, stream).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  all.streams.push_back(stream);
  return stream;
}

// Half of the operations start at once, so both orders of a race are seen.
void Stream::pause() {
  uint64_t draw = random();
  if (config().delay > 0 && draw % 2) usleep(useconds_t((draw >> 1) % uint64_t(config().delay + 1)));
}

void Stream::loop(std::shared_ptr<Stream> self) {
  prctl(PR_SET_TIMERSLACK, 1);  // else a short pause takes 50 microseconds more
  Hold hold(self->lock);
  for (;;) {
    self->changed.wait(hold, [&] { return self->closing || !self->queue.empty(); });
    if (self->queue.empty()) break;
    Item item = std::move(self->queue.front());
    self->queue.pop_front();
    hold.unlock();
    self->pause();
    CUresult code = item.always || self->context->error == 0 ? item.work() : CUDA_SUCCESS;
    CUresult none = CUDA_SUCCESS;
    if (code) self->context->error.compare_exchange_strong(none, code);
    item.work = nullptr;  // gives back what the work held before anyone sees it done
    hold.lock();
    self->done++;
    self->changed.notify_all();
  }
  self->ended = true;
  hold.unlock();
  Running &all = running();
  Hold holdAll(all.lock);
  all.streams.erase(std::find(all.streams.begin(), all.streams.end(), self));
}

uint64_t Stream::push(std::function<CUresult()> work, bool always) {
  Hold hold(lock);
  if (!ended) {
    queue.push_back({std::move(work), always});
    changed.notify_all();
    return ++pushed;
  }
  // Destroyed by another thread meanwhile: still let an event complete.
  uint64_t last = done;
  hold.unlock();
  if (always) work();
  return last;
}

void Stream::waitFor(uint64_t ticket) {
  Hold hold(lock);
  changed.wait(hold, [&] { return done >= ticket; });
}

void Stream::drain() {
  Hold hold(lock);
  uint64_t ticket = pushed;
  changed.wait(hold, [&] { return done >= ticket; });
}

bool Stream::idle() {
  Hold hold(lock);
  return done == pushed;
}

// Returns at once; the thread ends when the queue is empty, as on the real driver.
void Stream::close() {
  Hold hold(lock);
  closing = true;
  changed.notify_all();
}

void drainContext(Context *context) {
  std::vector<std::shared_ptr<Stream>> mine;
  {
    Hold hold(running().lock);
    for (auto &stream : running().streams)
      if (stream->context == context) mine.push_back(stream);
  }
  for (auto &stream : mine) stream->drain();
}

// 0 is the null stream; 1 and 2 are CUDA's other names for default streams.
std::shared_ptr<Stream> findStream(CUstream handle) {
  if (uint64_t(handle) <= 2) return nullStreamOf(current());
  return handles().find(handle);
}

API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  if (CUresult code = enter(__func__)) return code;
  if (!stream || flags > 1) return CUDA_ERROR_INVALID_VALUE;
  *stream = handles().add(startStream(current()));
  return CUDA_SUCCESS;
}

API CUresult cuStreamDestroy_v2(CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Stream> stream = handles().take(handle);
  if (!stream) return CUDA_ERROR_INVALID_HANDLE;
  stream->close();
  return CUDA_SUCCESS;
}

API CUresult cuStreamSynchronize(CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream) return CUDA_ERROR_INVALID_HANDLE;
  stream->drain();
  return stream->context->error;
}

API CUresult cuStreamQuery(CUstream handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult code = stream->context->error) return code;
  return stream->idle() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

API long fakeLiveStreams(void) { return handles().count(); }

API CUresult fakeEnqueue(CUstream handle, CUresult (*work)(void *), void (*drop)(void *), void *arg) {
  std::shared_ptr<void> owned(arg, drop);
  if (!liveContext(current())) return CUDA_ERROR_INVALID_CONTEXT;
  if (CUresult code = current()->error) return code;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream || stream->context != current()) return CUDA_ERROR_INVALID_HANDLE;
  stream->push([owned, work] { return work(owned.get()); });
  return CUDA_SUCCESS;
}
