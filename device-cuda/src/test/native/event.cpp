// Events. Each record takes a ticket; a wait is for the ticket that was the
// latest when the wait was called. The page may be shared between processes.
#include "fake.h"
#include "handles.h"
#include <climits>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
HandleTable<Event, CUevent> &handles() {
  static auto *table = new HandleTable<Event, CUevent>(0x52);
  return *table;
}

// Sleeps until the bell moves, or for two milliseconds.
void await(std::atomic<uint32_t> &bell, uint32_t seen) {
  timespec limit{0, 2000000};
  syscall(SYS_futex, &bell, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

EventSlot &slotOf(EventPage &page, uint64_t ticket) { return page.slots[ticket % EventPage::kSlots]; }

void raise(std::atomic<uint64_t> &value, uint64_t to) {
  for (uint64_t old = value; old < to && !value.compare_exchange_weak(old, to);) {}
}

uint64_t takeTicket(EventPage &page) {
  uint64_t ticket = ++page.next;
  EventSlot &slot = slotOf(page, ticket);
  slot.pid = uint64_t(getpid());
  slot.start = ownStartTime();
  raise(page.recorded, ticket);  // only now may others wait for it
  return ticket;
}

void complete(EventPage &page, uint64_t ticket) {
  raise(slotOf(page, ticket).done, ticket);
  page.bell++;
  syscall(SYS_futex, &page.bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool isDone(EventPage &page, uint64_t ticket) {
  return ticket == 0 || slotOf(page, ticket).done >= ticket;
}

// A record whose process died will never complete, so nobody may wait for it.
bool abandoned(EventPage &page, uint64_t ticket) {
  EventSlot &slot = slotOf(page, ticket);
  return !processAlive(long(slot.pid.load()), slot.start);
}

void waitTicket(EventPage &page, uint64_t ticket) {
  while (!isDone(page, ticket)) {
    uint32_t seen = page.bell;
    if (isDone(page, ticket)) return;
    await(page.bell, seen);
    if (!isDone(page, ticket) && abandoned(page, ticket)) return;
  }
}

// Shared events live in a memory file that other processes can open.
bool makePage(Event &event) {
  static std::atomic<uint64_t> nextId{0};
  bool shared = event.flags & CU_EVENT_INTERPROCESS;
  if (shared) {
    event.id = ++nextId;
    event.fd = memfd_create(eventName(event.id).c_str(), MFD_CLOEXEC);
    if (event.fd < 0 || ftruncate(event.fd, sizeof(EventPage)) != 0) return false;
  }
  void *got = mmap(nullptr, sizeof(EventPage), PROT_READ | PROT_WRITE,
                   MAP_SHARED | (shared ? 0 : MAP_ANONYMOUS), event.fd, 0);
  if (got == MAP_FAILED) return false;
  event.page = static_cast<EventPage *>(got);  // zero bytes are a valid empty page
  return true;
}
}  // namespace

Event::~Event() {
  if (page) munmap(page, sizeof *page);
  if (fd >= 0) close(fd);
}

std::string eventName(uint64_t id) { return "fakecuda-event-" + std::to_string(id); }
std::shared_ptr<Event> findEvent(CUevent handle) { return handles().find(handle); }
CUevent keepEvent(std::shared_ptr<Event> event) { return handles().add(std::move(event)); }

API CUresult cuEventCreate(CUevent *event, unsigned flags) {
  if (CUresult code = enter(__func__)) return code;
  bool shared = flags & CU_EVENT_INTERPROCESS, timed = !(flags & CU_EVENT_DISABLE_TIMING);
  if (!event || flags > 7 || (shared && timed)) return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_shared<Event>();
  made->context = current();
  made->flags = flags;
  if (!makePage(*made)) return CUDA_ERROR_OUT_OF_MEMORY;
  *event = keepEvent(made);
  return CUDA_SUCCESS;
}

API CUresult cuEventDestroy_v2(CUevent handle) {
  if (CUresult code = enter(__func__)) return code;
  return handles().take(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuEventRecord(CUevent handle, CUstream streamHandle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Event> event = findEvent(handle);
  std::shared_ptr<Stream> stream = findStream(streamHandle);
  if (!event || !stream || event->context != stream->context) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult code = stream->context->error) return code;
  uint64_t ticket = takeTicket(*event->page);
  stream->push([event, ticket] {
    complete(*event->page, ticket);
    return CUDA_SUCCESS;
  }, true);
  return CUDA_SUCCESS;
}

API CUresult cuStreamWaitEvent(CUstream streamHandle, CUevent handle, unsigned flags) {
  if (CUresult code = enter(__func__)) return code;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Event> event = findEvent(handle);
  std::shared_ptr<Stream> stream = findStream(streamHandle);
  if (!event || !stream) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult code = stream->context->error) return code;
  uint64_t ticket = event->page->recorded;
  if (ticket == 0) return CUDA_SUCCESS;
  stream->push([event, ticket] {
    waitTicket(*event->page, ticket);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

API CUresult cuEventQuery(CUevent handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Event> event = findEvent(handle);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult code = event->context->error) return code;
  uint64_t ticket = event->page->recorded;
  bool over = isDone(*event->page, ticket) || abandoned(*event->page, ticket);
  return over ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

API CUresult cuEventSynchronize(CUevent handle) {
  if (CUresult code = enter(__func__)) return code;
  std::shared_ptr<Event> event = findEvent(handle);
  if (!event) return CUDA_ERROR_INVALID_HANDLE;
  waitTicket(*event->page, event->page->recorded);
  return event->context->error;
}

API long fakeLiveEvents(void) { return handles().count(); }
