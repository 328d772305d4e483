// Reads FAKE_CUDA_CONFIG and decides which calls fail on purpose.
#include "fake.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <vector>

namespace {
struct Failure { long at; CUresult code; };  // code 0 means the usual one
struct Failures {
  std::mutex lock;
  std::map<std::string, long> calls;
  std::multimap<std::string, Failure> armed;
  std::mt19937_64 random;
};
// Never destroyed: stream threads may outlive the static destructors.
Failures &failures() {
  static Failures *all = new Failures;
  return *all;
}

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

bool number(const std::string &text, uint64_t *value) {
  char *end = nullptr;
  *value = strtoull(text.c_str(), &end, 10);
  if (end == text.c_str()) return false;
  int shift = *end == 'k' ? 10 : *end == 'm' ? 20 : *end == 'g' ? 30 : 0;
  if (shift) end++;
  *value <<= shift;
  return *end == 0;
}

bool parseFailures(const std::string &text) {
  for (const std::string &one : split(text, '+')) {
    std::vector<std::string> part = split(one, ':');
    uint64_t at = 0, code = 0;
    if (part.size() < 2 || part.size() > 3 || !number(part[1], &at)) return false;
    if (part.size() == 3 && !number(part[2], &code)) return false;
    failures().armed.insert({part[0], {long(at), CUresult(code)}});
  }
  return true;
}

bool parseItem(Config &result, const std::string &key, const std::string &text) {
  if (key == "fail") return parseFailures(text);
  if (key == "failrate") {
    char *end = nullptr;
    result.failRate = strtod(text.c_str(), &end);
    return end != text.c_str() && *end == 0;
  }
  uint64_t value = 0;
  if (!number(text, &value)) return false;
  if (key == "devices") result.devices = int(value);
  else if (key == "memory") result.memory = value;
  else if (key == "seed") result.seed = value;
  else if (key == "delay") result.delay = int(value);
  else if (key == "driver") result.driver = int(value);
  else if (key == "peer") result.peer = value != 0;
  else return false;
  return result.devices >= 0 && result.devices <= kMaxDevices;
}

Config parse() {
  Config result;
  const char *text = getenv("FAKE_CUDA_CONFIG");
  for (const std::string &item : split(text ? text : "", ',')) {
    size_t equals = item.find('=');
    bool good = equals != std::string::npos &&
                parseItem(result, item.substr(0, equals), item.substr(equals + 1));
    if (good) continue;
    fprintf(stderr, "FAKE_CUDA_CONFIG: cannot use '%s'\n", item.c_str());
    result.valid = false;
  }
  failures().random.seed(result.seed);
  return result;
}

bool isAllocation(const std::string &name) {
  return name == "cuMemAlloc_v2" || name == "cuMemHostAlloc";
}

// Random failures spare what only asks or gives back: real drivers do not fail
// there by chance, and a test could not clean up.
bool spared(const std::string &name) {
  for (const char *part : {"Free", "Destroy", "Release", "Close", "Unload", "cuInit",
                           "cuDevice", "SetCurrent", "GetCurrent", "Version", "Size"})
    if (name.find(part) != std::string::npos && name != "cuDevicePrimaryCtxRetain") return true;
  return false;
}
}  // namespace

const Config &config() {
  static const Config *instance = new Config(parse());
  return *instance;
}

API int fakeShouldFail(const char *function, int defaultCode) {
  const Config &settings = config();
  Failures &all = failures();
  std::string name = function;
  std::lock_guard<std::mutex> hold(all.lock);
  long call = ++all.calls[name];
  auto range = all.armed.equal_range(name);
  for (auto it = range.first; it != range.second; ++it)
    if (it->second.at == call) return it->second.code ? it->second.code : defaultCode;
  if (settings.failRate <= 0 || spared(name)) return 0;
  return std::uniform_real_distribution<double>(0, 1)(all.random) < settings.failRate
             ? defaultCode : 0;
}

CUresult injected(const char *function) {
  return fakeShouldFail(function, isAllocation(function) ? CUDA_ERROR_OUT_OF_MEMORY
                                                         : CUDA_ERROR_LAUNCH_FAILED);
}

API void fakeFail(const char *name, int k, int code) {
  config();
  Failures &all = failures();
  std::lock_guard<std::mutex> hold(all.lock);
  all.armed.insert({name, {all.calls[name] + k, code}});
}

API void fakeFailClear(void) {
  config();
  Failures &all = failures();
  std::lock_guard<std::mutex> hold(all.lock);
  all.armed.clear();
}
