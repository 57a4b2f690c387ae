// This library as a contestant.
#pragma once

#include <memory>

#include "bench/peers/peer.h"
#include "mikpoly/runtime.h"

namespace mikpoly::bench {

GemmProblem gemm_problem(const Case& problem, bool packed);

// Through Runtime::gemm, so that the first run plans and every run looks the plan up. With `packed`
// B is packed beforehand.
std::unique_ptr<Peer> make_ours(Runtime* runtime, bool packed);

}  // namespace mikpoly::bench
