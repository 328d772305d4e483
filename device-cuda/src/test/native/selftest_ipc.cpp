// Memory and events shared between two processes, also when one dies.
#include "selftest.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {
struct Handles { CUipcMemHandle memory; CUipcEventHandle event; };
constexpr size_t kBytes = 1 << 20;

struct Child { pid_t pid; int to, from; };

Child start(const char *self, const char *part) {
  int in[2], out[2];
  CHECK(pipe(in) == 0 && pipe(out) == 0);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (int fd : {in[0], in[1], out[0], out[1]}) close(fd);
    std::string command = std::string("exec ") + self + " " + part;
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  return {pid, in[1], out[0]};
}

void finish(Child child) {
  close(child.to);
  close(child.from);
  int status = 0;
  waitpid(child.pid, &status, 0);
}

void sendByte(int fd) { CHECK(write(fd, "x", 1) == 1); }
void awaitByte(int fd) {
  char byte;
  CHECK(read(fd, &byte, 1) == 1);
}
void readHandles(int fd, Handles *handles) {
  CHECK(read(fd, handles, sizeof *handles) == ssize_t(sizeof *handles));
}

// Each round the other process fills the block and records the event, but says
// so before its stream got there.
void checkRounds(const char *self) {
  Child child = start(self, "exporter");
  Handles handles;
  readHandles(child.from, &handles);
  CUdeviceptr at = 0, again = 0;
  CHECK(CU(cuIpcOpenMemHandle_v2)(&at, handles.memory, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(CU(cuIpcOpenMemHandle_v2)(&at, handles.memory, 1));
  OK(CU(cuIpcOpenMemHandle_v2)(&again, handles.memory, 1));
  CHECK(at == again && CU(fakeOpenHandles)() == 2 && CU(fakeLiveBlocks)(0) == 0);
  CHECK(CU(cuMemFree_v2)(at) == CUDA_ERROR_INVALID_VALUE);
  OK(CU(cuIpcCloseMemHandle)(at));
  CUevent event;
  OK(CU(cuIpcOpenEventHandle)(&event, handles.event));
  CUstream stream;
  OK(CU(cuStreamCreate)(&stream, 1));
  void *host = nullptr;
  OK(CU(cuMemHostAlloc)(&host, kBytes, 0));
  for (int round = 1; round <= 30; round++) {
    sendByte(child.to);
    awaitByte(child.from);
    OK(CU(cuStreamWaitEvent)(stream, event, 0));
    OK(CU(cuMemcpyDtoHAsync_v2)(host, at, kBytes, stream));
    OK(CU(cuStreamSynchronize)(stream));
    const char *got = static_cast<char *>(host);
    CHECK(got[0] == round && got[kBytes - 1] == round);
    OK(CU(cuEventQuery)(event));
  }
  finish(child);
  // What was opened stays; opening anew fails, as the owner is gone.
  CHECK(download<char>(at, kBytes, stream)[0] == 30);
  CHECK(CU(cuIpcOpenMemHandle_v2)(&again, handles.memory, 1) == CUDA_ERROR_INVALID_HANDLE);
  OK(CU(cuIpcCloseMemHandle)(at));
  CHECK(CU(cuIpcCloseMemHandle)(at) == CUDA_ERROR_INVALID_VALUE);
  OK(CU(cuEventDestroy_v2)(event));
  OK(CU(cuStreamDestroy_v2)(stream));
  OK(CU(cuMemFreeHost)(host));
}

// The exporter is killed with its record pending; our stream must go on.
void checkDeath(const char *self) {
  Child child = start(self, "hanging");
  Handles handles;
  readHandles(child.from, &handles);
  CUevent event;
  OK(CU(cuIpcOpenEventHandle)(&event, handles.event));
  sendByte(child.to);
  awaitByte(child.from);
  CUstream stream;
  OK(CU(cuStreamCreate)(&stream, 1));
  OK(CU(cuStreamWaitEvent)(stream, event, 0));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(CU(cuStreamQuery)(stream) == CUDA_ERROR_NOT_READY);
  CHECK(CU(cuEventQuery)(event) == CUDA_ERROR_NOT_READY);
  kill(child.pid, SIGKILL);  // left a zombie for now, which must count as dead
  OK(CU(cuStreamSynchronize)(stream));
  OK(CU(cuEventSynchronize)(event));
  OK(CU(cuEventQuery)(event));
  finish(child);
  OK(CU(cuEventDestroy_v2)(event));
  OK(CU(cuStreamDestroy_v2)(stream));
}
}  // namespace

// The other process: exports a block and an event, then fills the block once
// for every byte it gets. With hang set its record never completes.
int ipcExporter(int in, int out, bool hang) {
  OK(CU(cuInit)(0));
  openDevice(0);
  CUdeviceptr at = allocate(kBytes);
  CUevent event;
  OK(CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
  Handles handles;
  OK(CU(cuIpcGetMemHandle)(&handles.memory, at + 100));
  OK(CU(cuIpcGetEventHandle)(&handles.event, event));
  CHECK(write(out, &handles, sizeof handles) == ssize_t(sizeof handles));
  char byte;
  for (int round = 1; read(in, &byte, 1) == 1; round++) {
    if (hang)
      OK(CU(fakeEnqueue)(nullptr, [](void *) { for (;;) pause(); return 0; }, [](void *) {}, nullptr));
    for (int i = 0; i < 5; i++) OK(CU(cuMemsetD8Async)(at, (unsigned char)round, kBytes, nullptr));
    OK(CU(cuEventRecord)(event, nullptr));
    sendByte(out);
  }
  return 0;
}

void testIpc(const char *self) {
  CUdeviceptr at = allocate(64), opened = 0;
  CUipcMemHandle own;
  OK(CU(cuIpcGetMemHandle)(&own, at));
  CHECK(CU(cuIpcOpenMemHandle_v2)(&opened, own, 1) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(CU(cuIpcGetMemHandle)(&own, at + 64) == CUDA_ERROR_INVALID_VALUE);
  OK(CU(cuMemFree_v2)(at));
  CUevent timed;
  CHECK(CU(cuEventCreate)(&timed, CU_EVENT_INTERPROCESS) == CUDA_ERROR_INVALID_VALUE);
  checkRounds(self);
  checkDeath(self);
}
