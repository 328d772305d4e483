// Telling whether another process still lives, and reaching its memory files.
#include "fake.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

// The start time tells a process from a later one with the same pid.
uint64_t startTime(long pid) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = 0;
  // The command name may contain anything, so count fields after its last ')'.
  char *at = strrchr(text, ')');
  if (!at) return 0;
  char state = 0;
  unsigned long long start = 0;
  int got = sscanf(at + 1,
                   " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                   &state, &start);
  bool dead = state == 'Z' || state == 'X';  // a zombie's files are closed already
  return got == 2 && !dead ? start : 0;
}

uint64_t ownStartTime() {
  static const uint64_t start = startTime(getpid());
  return start;
}

bool processAlive(long pid, uint64_t start) {
  return pid == getpid() ? start == ownStartTime() : startTime(pid) == start && start != 0;
}

// The name guards against a number that the exporter has since used for
// another file.
int openForeign(long pid, int fd, const std::string &name) {
  char path[64], link[128];
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", pid, fd);
  ssize_t length = readlink(path, link, sizeof link);
  if (length <= 0 || std::string(link, size_t(length)).find("/memfd:" + name + " ") != 0) return -1;
  int opened = open(path, O_RDWR | O_CLOEXEC);
  if (opened < 0) return -1;
  // Look again at what was really opened: the number may have changed hands.
  snprintf(path, sizeof path, "/proc/self/fd/%d", opened);
  length = readlink(path, link, sizeof link);
  if (length > 0 && std::string(link, size_t(length)).find("/memfd:" + name + " ") == 0) return opened;
  close(opened);
  return -1;
}
