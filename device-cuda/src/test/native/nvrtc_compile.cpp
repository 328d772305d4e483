// Compiles kernels with g++ in two steps: the preprocessor shows which kernels
// there are, then the compiler gets the prelude, the source and a table of them.
#include "nvrtc_compile.h"
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <regex>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace {
// Where this library lies, and the prelude beside it.
std::string directory() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&compile), &info) || !info.dli_fname) return ".";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string readAll(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void writeAll(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

// A directory that goes away with all its files.
struct TempDir {
  std::string path;
  TempDir() {
    const char *base = getenv("TMPDIR");
    path = std::string(base && *base ? base : "/tmp") + "/fakenvrtc-XXXXXX";
    if (!mkdtemp(&path[0])) path.clear();
  }
  ~TempDir() {
    DIR *dir = path.empty() ? nullptr : opendir(path.c_str());
    if (!dir) return;
    while (dirent *entry = readdir(dir)) unlink((path + "/" + entry->d_name).c_str());
    closedir(dir);
    rmdir(path.c_str());
  }
};

// Runs g++ with its messages going to a file.
bool runCompiler(std::vector<std::string> args, const std::string &messages) {
  args.insert(args.begin(), "g++");
  std::vector<char *> argv;
  for (std::string &arg : args) argv.push_back(&arg[0]);
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, messages.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  pid_t pid = 0;
  int failed = posix_spawnp(&pid, "g++", &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) {
    writeAll(messages, "cannot start g++\n");
    return false;
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Lines the preprocessor adds may come between the words we look for.
std::string withoutMarkers(const std::string &text) {
  std::stringstream in(text);
  std::string result;
  for (std::string line; std::getline(in, line);)
    if (line.empty() || line[0] != '#') result += line + "\n";
  return result;
}

std::set<std::string> kernelNames(const std::string &text) {
  static const std::regex kernel(
      R"re(extern\s+"C"\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?__global__\s+)re"
      R"re((?:(?:void|static|inline)\s+|__launch_bounds__\s*\([^)]*\)\s*)+(\w+)\s*\()re");
  std::string plain = withoutMarkers(text);
  std::set<std::string> names;
  for (std::sregex_iterator it(plain.begin(), plain.end(), kernel), end; it != end; ++it)
    names.insert((*it)[1]);
  return names;
}

// "extern __shared__ T name[];" has no static size; make it a pointer.
std::string replaceDynamicShared(const std::string &text) {
  static const std::regex dynamic(
      R"re(extern\s+__shared__\s+(?:__align__\s*\([^)]*\)\s*)?([\w ]+?)\s+(\w+)\s*\[\s*\]\s*;)re");
  return std::regex_replace(text, dynamic, "$1 *$2 = ($1 *)fake_now.dynamicShared;");
}

// Kernels get another name inside, as theirs may be one of the C library's.
std::string wholeUnit(const std::string &source) {
  std::string before = "#include \"" + directory() + "/prelude.h\"\n", table = "\nFAKE_TABLE_BEGIN\n";
  for (const std::string &name : kernelNames(source)) {
    before += "#define " + name + " fake_kernel_" + name + "\n";
    table += "FAKE_ENTRY(\"" + name + "\", fake_kernel_" + name + ")\n";
  }
  return before + replaceDynamicShared(source) + table + "FAKE_TABLE_END\n";
}

bool preprocess(const Compilation &work, const std::string &dir) {
  writeAll(dir + "/in.cu", "#line 1 \"" + work.name + "\"\n" + work.source);
  for (auto &header : work.headers) writeAll(dir + "/" + header.first, header.second);
  // NVRTC finds no system headers either.
  std::vector<std::string> args = {"-E", "-x", "c++", "-std=c++17", "-w", "-nostdinc", "-I" + dir,
                                   "-DGRADWIRE_FAKE=1", "-D__CUDACC__=1", "-D__CUDACC_RTC__=1",
                                   "-D__CUDA_ARCH__=900"};
  args.insert(args.end(), work.preprocessor.begin(), work.preprocessor.end());
  args.insert(args.end(), {"-o", dir + "/in.ii", dir + "/in.cu"});
  return runCompiler(args, dir + "/log");
}
}  // namespace

bool compile(Compilation &work) {
  TempDir dir;
  if (dir.path.empty()) {
    work.log = "cannot make a temporary directory\n";
    return false;
  }
  bool good = preprocess(work, dir.path);
  if (good) {
    writeAll(dir.path + "/unit.cpp", wholeUnit(readAll(dir.path + "/in.ii")));
    good = runCompiler({"-O1", "-fPIC", "-shared", "-w", "-std=c++17", "-ffp-contract=off",
                        "-fvisibility=hidden", "-fno-gnu-unique", "-nostdlib", "-o",
                        dir.path + "/out.so", dir.path + "/unit.cpp", "-lm", "-lc", "-lgcc"},
                       dir.path + "/log");
  }
  work.log = readAll(dir.path + "/log");
  if (good) work.binary = readAll(dir.path + "/out.so");
  return good && !work.binary.empty();
}
