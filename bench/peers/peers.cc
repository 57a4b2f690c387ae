#include <algorithm>

#include "bench/peers/peer.h"

namespace mikpoly::bench {
namespace {

#if !MIKPOLY_BENCH_ONEDNN
Result<std::unique_ptr<Peer>> no_onednn(int) {
  return Status(StatusCode::kUnsupported,
                "this program was built without oneDNN (install libdnnl-dev and configure again)");
}
constexpr auto* kOnednnAny = no_onednn;
constexpr auto* kOnednnPlain = no_onednn;
constexpr auto* kOnednnRuntime = no_onednn;
#else
constexpr auto* kOnednnAny = make_onednn_any;
constexpr auto* kOnednnPlain = make_onednn_plain;
constexpr auto* kOnednnRuntime = make_onednn_runtime;
#endif

constexpr PeerEntry kPeers[] = {
    {"onednn-any", "oneDNN, a primitive a shape, weights in the layout it asks for", kOnednnAny},
    {"onednn-plain", "oneDNN, a primitive a shape, plain layouts", kOnednnPlain},
    {"onednn-runtime", "oneDNN, one primitive for all shapes (run-time dimensions)",
     kOnednnRuntime},
    {"openblas", "OpenBLAS cblas_sgemm", make_openblas},
};

std::string known_names() {
  std::string names = "onednn";
  for (const PeerEntry& entry : kPeers) names += std::string(", ") + entry.name;
  return names;
}

}  // namespace

std::span<const PeerEntry> peer_table() { return kPeers; }

Result<std::vector<const PeerEntry*>> select_peers(const std::vector<std::string>& names) {
  std::vector<const PeerEntry*> selected;
  for (const std::string& name : names) {
    bool known = false;
    for (const PeerEntry& entry : kPeers) {
      const std::string_view full = entry.name;
      if (full != name && !(name == "onednn" && full.starts_with("onednn-"))) continue;
      known = true;
      if (std::find(selected.begin(), selected.end(), &entry) == selected.end()) {
        selected.push_back(&entry);
      }
    }
    if (!known) {
      return Status(StatusCode::kInvalidArgument,
                    "unknown peer \"" + name + "\"; known are " + known_names());
    }
  }
  return selected;
}

}  // namespace mikpoly::bench
