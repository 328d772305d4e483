// A table of live objects behind opaque handles. A handle is never used twice,
// so a stale one is always noticed.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

template <class T, class Handle> class HandleTable {
 public:
  explicit HandleTable(uint64_t kind) : next((kind << 40) + 16) {}
  Handle add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> hold(lock);
    next += 16;
    live[next] = std::move(object);
    return reinterpret_cast<Handle>(next);
  }
  std::shared_ptr<T> find(Handle handle) {
    std::lock_guard<std::mutex> hold(lock);
    auto found = live.find(reinterpret_cast<uint64_t>(handle));
    return found == live.end() ? nullptr : found->second;
  }
  // Null when another thread took it first.
  std::shared_ptr<T> take(Handle handle) {
    std::lock_guard<std::mutex> hold(lock);
    auto found = live.find(reinterpret_cast<uint64_t>(handle));
    if (found == live.end()) return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    live.erase(found);
    return object;
  }
  long count() {
    std::lock_guard<std::mutex> hold(lock);
    return long(live.size());
  }

 private:
  std::mutex lock;
  uint64_t next;
  std::map<uint64_t, std::shared_ptr<T>> live;
};
