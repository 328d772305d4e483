// Compiles CUDA C++ with the host's compiler.
#pragma once
#include <string>
#include <utility>
#include <vector>

struct Compilation {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers;  // name and text
  std::vector<std::string> preprocessor;                     // -D, -U and -I options
  std::string binary, log;                                   // the results
};
// False when the source is wrong; the log then says why.
bool compile(Compilation &work);
