// The NVRTC entry points around the compiler of nvrtc_compile.cpp.
#include "cuda_api.h"
#include "handles.h"
#include "nvrtc_compile.h"
#include <cstring>

typedef int nvrtcResult;
typedef struct ProgramHandle *nvrtcProgram;
enum : int {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
};

namespace {
struct Program {
  std::mutex lock;
  Compilation work;
};
HandleTable<Program, nvrtcProgram> &programs() {
  static auto *table = new HandleTable<Program, nvrtcProgram>(0x55);
  return *table;
}

bool starts(const std::string &text, const char *with) { return text.rfind(with, 0) == 0; }

// Options that mean nothing here but are right on the real NVRTC.
bool harmless(const std::string &option) {
  for (const char *known : {"--std=", "-std=", "--fmad=", "-fmad=", "--use_fast_math", "-use_fast_math",
                            "--ftz=", "-ftz=", "--prec-", "-prec-", "--extra-device-vectorization",
                            "-extra-device-vectorization", "--maxrregcount=", "-maxrregcount=",
                            "--generate-line-info", "-lineinfo", "--device-debug", "-G", "-w",
                            "--disable-warnings", "-default-device", "--device-as-default-execution-space",
                            "--restrict", "-restrict", "--diag-", "-diag-", "--dopt=", "-dopt=",
                            "--split-compile=", "--minimal", "-minimal", "--no-cache", "-no-cache"})
    if (starts(option, known)) return true;
  return false;
}

struct Options {
  std::vector<std::string> preprocessor;
  bool real = false;  // an architecture like sm_90, without which there is no binary
};

// Sorts one option in; "-D NAME" and the like take the next one as well.
bool parseOption(const char *const *options, int count, int *at, Options *result) {
  std::string option = options[*at];
  for (auto &pair : {std::make_pair("--define-macro", "-D"), std::make_pair("--undefine-macro", "-U"),
                     std::make_pair("--include-path", "-I"), std::make_pair("-D", "-D"),
                     std::make_pair("-U", "-U"), std::make_pair("-I", "-I")}) {
    if (!starts(option, pair.first)) continue;
    std::string value = option.substr(strlen(pair.first));
    if (!value.empty() && value[0] == '=') value.erase(0, 1);
    if (value.empty() && ++*at < count) value = options[*at];
    result->preprocessor.push_back(pair.second + value);
    return !value.empty();
  }
  for (const char *arch : {"--gpu-architecture=", "-arch="}) {
    if (!starts(option, arch)) continue;
    std::string value = option.substr(strlen(arch));
    result->real = starts(value, "sm_");
    return result->real || starts(value, "compute_");
  }
  return harmless(option);
}

// Hands out a text or binary in the way of nvrtcGet...Size and nvrtcGet...
template <class Pick> nvrtcResult giveSize(nvrtcProgram handle, size_t *size, Pick pick) {
  std::shared_ptr<Program> program = programs().find(handle);
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  std::lock_guard<std::mutex> hold(program->lock);
  *size = pick(program->work);
  return NVRTC_SUCCESS;
}
}  // namespace

API nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

API const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const names[] = {
      "NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
      "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
      "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"};
  bool known = result >= 0 && size_t(result) < sizeof names / sizeof *names;
  return known ? names[result] : "NVRTC_ERROR unknown";
}

API nvrtcResult nvrtcCreateProgram(nvrtcProgram *handle, const char *source, const char *name, int count,
                                   const char *const *headers, const char *const *includeNames) {
  if (int code = fakeShouldFail(__func__, NVRTC_ERROR_OUT_OF_MEMORY)) return code;
  if (!handle || !source || count < 0 || (count > 0 && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto program = std::make_shared<Program>();
  program->work.source = source;
  program->work.name = name && *name ? name : "default_program";
  for (int i = 0; i < count; i++) program->work.headers.push_back({includeNames[i], headers[i]});
  *handle = programs().add(program);
  return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *handle) {
  if (int code = fakeShouldFail(__func__, NVRTC_ERROR_INVALID_PROGRAM)) return code;
  if (!handle || !programs().take(*handle)) return NVRTC_ERROR_INVALID_PROGRAM;
  *handle = nullptr;
  return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcCompileProgram(nvrtcProgram handle, int count, const char *const *options) {
  if (int code = fakeShouldFail(__func__, NVRTC_ERROR_OUT_OF_MEMORY)) return code;
  std::shared_ptr<Program> program = programs().find(handle);
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  std::lock_guard<std::mutex> hold(program->lock);
  Compilation &work = program->work;
  Options parsed;
  for (int i = 0; i < count; i++) {
    int at = i;
    if (options && parseOption(options, count, &i, &parsed)) continue;
    work.log = std::string("nvrtc: error: invalid value for --option (") + (options ? options[at] : "") + ")\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  work.preprocessor = parsed.preprocessor;
  work.binary.clear();
  if (!compile(work)) return NVRTC_ERROR_COMPILATION;
  if (!parsed.real) work.binary.clear();  // the real one then makes PTX only
  return NVRTC_SUCCESS;
}

API nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram handle, size_t *size) {
  return giveSize(handle, size, [](Compilation &work) { return work.log.size() + 1; });
}

API nvrtcResult nvrtcGetProgramLog(nvrtcProgram handle, char *log) {
  size_t size = 0;
  if (!log) return NVRTC_ERROR_INVALID_INPUT;
  return giveSize(handle, &size, [log](Compilation &work) {
    memcpy(log, work.log.c_str(), work.log.size() + 1);
    return size_t(0);
  });
}

API nvrtcResult nvrtcGetCUBINSize(nvrtcProgram handle, size_t *size) {
  return giveSize(handle, size, [](Compilation &work) { return work.binary.size(); });
}

API nvrtcResult nvrtcGetCUBIN(nvrtcProgram handle, char *binary) {
  if (int code = fakeShouldFail(__func__, NVRTC_ERROR_INVALID_PROGRAM)) return code;
  size_t size = 0;
  if (!binary) return NVRTC_ERROR_INVALID_INPUT;
  return giveSize(handle, &size, [binary](Compilation &work) {
    memcpy(binary, work.binary.data(), work.binary.size());
    return size_t(0);
  });
}

API long fakeLivePrograms(void) { return programs().count(); }
