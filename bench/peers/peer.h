// What is measured: one way of computing GEMMs, ours or a peer library's, behind one interface.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/suites/case.h"
#include "mikpoly/status.h"

namespace mikpoly::bench {

// One copy of a case's operands, tight, laid out as Case::trans says.
struct Operands {
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

// One contestant on one case. Members are called in this order; create() and run() are timed, both
// count for first_us.
class Session {
 public:
  virtual ~Session() = default;

  // What a shape never seen before costs before its first run. (optional)
  virtual Status create() { return {}; }
  // Lays the weights of every copy out, for contestants that pack; never timed. (optional)
  virtual Status pack() { return {}; }
  // Computes one copy of the operands and waits for it.
  virtual Status run(std::size_t copy) = 0;
  // What the contestant chose: a plan line, the name of an implementation. (optional)
  virtual std::string choice() const { return {}; }
};

struct PeerInfo {
  std::string name;     // "onednn-any"
  std::string library;  // "onednn"
  std::string version;
  std::string note;  // what a reader should know, e.g. the kernels that the library picked
  std::string
      warning;  // why the peer may be slower here than it could be; empty where nothing is known
  std::string pool;    // threads it runs on; contestants of one pool share it
  bool packs = false;  // computes from weights laid out beforehand
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual const PeerInfo& info() const = 0;
  // A case as this contestant computes it; the operands outlive the session. unsupported where it
  // can't, with the reason.
  virtual Result<std::unique_ptr<Session>> session(const Case& problem,
                                                   std::span<const Operands> copies) = 0;
};

inline bool a_transposed(const Case& problem) { return problem.trans[0] == 'T'; }
inline bool b_transposed(const Case& problem) { return problem.trans[1] == 'T'; }

// The pool of this library, of oneDNN and of OpenBLAS where they are built with OpenMP.
inline constexpr const char* kOpenMpPool = "openmp";

struct PeerEntry {
  const char* name;
  const char* summary;
  // unsupported with the reason where the library is missing. Threads as our runtime's.
  Result<std::unique_ptr<Peer>> (*create)(int threads);
};
std::span<const PeerEntry> peer_table();

// The entries that --vs names, in its order and each once; "onednn" stands for all of its
// practices. invalid_argument where a name is unknown.
Result<std::vector<const PeerEntry*>> select_peers(const std::vector<std::string>& names);

Result<std::unique_ptr<Peer>> make_onednn_any(int threads);
Result<std::unique_ptr<Peer>> make_onednn_plain(int threads);
Result<std::unique_ptr<Peer>> make_onednn_runtime(int threads);
Result<std::unique_ptr<Peer>> make_openblas(int threads);

}  // namespace mikpoly::bench
