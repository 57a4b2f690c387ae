#include <iostream>

#include "bench/cli/common.h"
#include "bench/measure/machine.h"
#include "bench/peers/peer.h"
#include "mikpoly/version.h"

namespace mikpoly::bench {
namespace {

void print_machine() {
  const MachineInfo& machine = this_machine();
  std::cout << "machine   " << machine.cpu << ", " << machine.cpus << " CPUs, "
            << (machine.avx512 ? "AVX-512"
                : machine.avx2 ? "AVX2"
                               : "no AVX2")
            << ", L2 " << machine.l2_bytes / 1024 << " KiB in all, last-level cache "
            << machine.llc_bytes / 1024 << " KiB, memory " << machine.memory_bytes / (1 << 20)
            << " MiB, " << machine.system << "\n";
}

void print_peers(int threads) {
  for (const PeerEntry& entry : peer_table()) {
    const auto peer = entry.create(threads);
    std::cout << "peer      " << entry.name << ": ";
    if (!peer.ok()) {
      std::cout << "unavailable: " << peer.status().message() << "\n";
      continue;
    }
    const PeerInfo& info = peer.value()->info();
    std::cout << info.version << " (" << info.note << ")\n";
    if (!info.warning.empty()) std::cout << "          note: " << info.warning << "\n";
  }
}

int run(const RuntimeFlags& flags) {
  const auto runtime = open_runtime(flags);
  if (!runtime.ok()) return usage_error(runtime.status().message());
  std::cout << "mikpoly   " << version() << " (" << git_commit() << ")\n";
  print_machine();
  std::cout << "device    " << runtime.value().device() << "\nthreads   "
            << runtime.value().threads() << "\nprofile   " << runtime.value().profile() << "\n";
  for (const BackendStatus& backend : Runtime::backends()) {
    std::cout << "backend   " << backend.name << ": " << (backend.score > 0 ? "usable" : "unusable")
              << ", score " << backend.score << " (" << backend.reason << ")"
              << (backend.name == runtime.value().backend_name() ? ", in use" : "") << "\n";
  }
  print_peers(runtime.value().threads());
  return kExitOk;
}

}  // namespace

void add_info(CLI::App* app, Action* action) {
  auto flags = std::make_shared<RuntimeFlags>();
  CLI::App* command =
      app->add_subcommand("info", "Tells the device, backends, profile and peer libraries");
  add_runtime_flags(command, flags.get());
  command->callback([=] { *action = [flags] { return run(*flags); }; });
}

}  // namespace mikpoly::bench
