// The runtime's own duties: creation, checks before a run, plans, cache counters, threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

#include "core/runtime/plan_cache.h"
#include "core/runtime/tools.h"
#include "mikpoly/mikpoly.h"
#include "tests/support/gemm_check.h"
#include "tests/support/targets.h"

namespace mikpoly {
namespace {

using testing::check_gemm;
using testing::GemmSpec;

Runtime make(RuntimeOptions options = {}) {
  if (options.backend == "auto") options.backend = "ref";
  return testing::create_runtime({options.backend, ""}, options).value();
}

bool has_backend(const std::string& name) {
  for (const BackendStatus& b : Runtime::backends()) {
    if (b.name == name && b.score > 0) return true;
  }
  return false;
}

TEST(Backends, RefIsLastAndAllSayWhy) {
  const std::vector<BackendStatus> all = Runtime::backends();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back().name, "ref");
  for (const BackendStatus& b : all) EXPECT_FALSE(b.reason.empty()) << b.name;
}

TEST(Create, UnknownBackendNamesTheKnownOnes) {
  RuntimeOptions options;
  options.backend = "abacus";
  const Result<Runtime> runtime = Runtime::create(options);
  ASSERT_FALSE(runtime.ok());
  EXPECT_EQ(runtime.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(runtime.status().message().find("abacus"), std::string::npos);
  EXPECT_NE(runtime.status().message().find("ref"), std::string::npos);
}

TEST(Create, NegativeThreads) {
  RuntimeOptions options;
  options.threads = -3;
  const Result<Runtime> runtime = Runtime::create(options);
  ASSERT_FALSE(runtime.ok());
  EXPECT_EQ(runtime.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(runtime.status().message().find("threads is -3"), std::string::npos);
}

TEST(Create, EnvironmentReplacesAutoOnly) {
  setenv("MIKPOLY_BACKEND", "ref", 1);
  EXPECT_EQ(Runtime::create({}).value().backend_name(), "ref");
  setenv("MIKPOLY_BACKEND", "nonsense", 1);
  EXPECT_FALSE(Runtime::create({}).ok());
  RuntimeOptions named;
  named.backend = "ref";
  EXPECT_TRUE(Runtime::create(named).ok());
  unsetenv("MIKPOLY_BACKEND");
}

TEST(Create, UnusableInstructionSetIsUnsupported) {
  if (!has_backend("cpu")) GTEST_SKIP() << "no cpu backend";
  setenv("MIKPOLY_ISA", "steam", 1);
  RuntimeOptions options;
  options.backend = "cpu";
  const Result<Runtime> runtime = Runtime::create(options);
  unsetenv("MIKPOLY_ISA");
  ASSERT_FALSE(runtime.ok());
  EXPECT_EQ(runtime.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(runtime.status().message().find("steam"), std::string::npos);
}

TEST(Create, UnusableProfileByNameIsAnError) {
  RuntimeOptions options;
  options.backend = "ref";
  options.profile_path = "no-such-profile.json";
  const Result<Runtime> runtime = Runtime::create(options);
  ASSERT_FALSE(runtime.ok());
  EXPECT_EQ(runtime.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(runtime.status().message().find("no-such-profile.json"), std::string::npos);
}

TEST(Create, AnAbsurdCacheLimitIsNoCrash) {
  RuntimeOptions options;
  options.cache_bytes = ~std::size_t{0};
  Runtime runtime = make(options);
  GemmSpec spec;
  EXPECT_TRUE(check_gemm(runtime, spec));
}

// Everything a call can get wrong, on operands that must then be untouched.
struct BadCall {
  const char* name;
  std::function<void(GemmProblem*, GemmArgs*)> spoil;
  StatusCode code;
  const char* message;
};

const BadCall kBadCalls[] = {
    {"NullA", [](GemmProblem*, GemmArgs* x) { x->a = nullptr; }, StatusCode::kInvalidArgument,
     "a is null"},
    {"NullB", [](GemmProblem*, GemmArgs* x) { x->b = nullptr; }, StatusCode::kInvalidArgument,
     "b is null"},
    {"NullC", [](GemmProblem*, GemmArgs* x) { x->c = nullptr; }, StatusCode::kInvalidArgument,
     "c is null"},
    {"NullCWithoutDepth",
     [](GemmProblem* p, GemmArgs* x) {
       p->k = 0;
       x->c = nullptr;
     },
     StatusCode::kInvalidArgument, "c is null"},
    {"NullCWithAlphaZero",
     [](GemmProblem*, GemmArgs* x) {
       x->alpha = 0;
       x->c = nullptr;
     },
     StatusCode::kInvalidArgument, "c is null"},
    {"NegativeThreads", [](GemmProblem*, GemmArgs* x) { x->threads = -2; },
     StatusCode::kInvalidArgument, "threads is -2"},
    {"NoPackedMatrix", [](GemmProblem* p, GemmArgs*) { p->b = MatrixLayout::packed(); },
     StatusCode::kInvalidArgument, "b_packed is null"},
    {"NegativeM", [](GemmProblem* p, GemmArgs*) { p->m = -1; }, StatusCode::kInvalidArgument,
     "m is -1"},
    {"NegativeMWithAlphaZero",
     [](GemmProblem* p, GemmArgs* x) {
       p->m = -1;
       x->alpha = 0;
     },
     StatusCode::kInvalidArgument, "m is -1"},
    {"ShortLd", [](GemmProblem* p, GemmArgs*) { p->c = MatrixLayout::row_major(2); },
     StatusCode::kInvalidArgument, "c.ld is 2"},
    {"Type", [](GemmProblem* p, GemmArgs*) { p->c_type = DType::kF64; }, StatusCode::kUnsupported,
     "f64"},
};

class Refusal : public ::testing::TestWithParam<BadCall> {};
INSTANTIATE_TEST_SUITE_P(Table, Refusal, ::testing::ValuesIn(kBadCalls),
                         [](const auto& row) { return row.param.name; });

TEST_P(Refusal, LeavesCAsItWas) {
  for (const testing::Target& target : testing::targets()) {
    Runtime* runtime = testing::shared_runtime(target);
    if (runtime == nullptr) continue;
    for (int repeat = 0; repeat < 2; ++repeat) {  // errors are not cached
      std::vector<float> a(12, 1), b(12, 2), c(9, 3);
      GemmProblem problem;
      problem.m = problem.n = 3;
      problem.k = 4;
      GemmArgs args;
      args.a = a.data();
      args.b = b.data();
      args.c = c.data();
      args.beta = 2;
      GetParam().spoil(&problem, &args);
      const Status status = runtime->gemm(problem, args);
      EXPECT_EQ(status.code(), GetParam().code) << target;
      EXPECT_NE(status.message().find(GetParam().message), std::string::npos) << status.message();
      EXPECT_EQ(c, std::vector<float>(9, 3)) << target;
    }
  }
}

TEST(Packed, OtherSizeTypeOrBackendIsRefused) {
  Runtime runtime = make();
  std::vector<float> a(64, 1), b(64, 2), c(64, 3);
  const PackedMatrix packed = runtime.pack(b.data(), 8, 4, DType::kF32).value();
  GemmProblem problem;
  problem.m = 2;
  problem.n = 4;
  problem.k = 8;
  problem.b = MatrixLayout::packed();
  GemmArgs args;
  args.a = a.data();
  args.b_packed = &packed;
  args.c = c.data();
  EXPECT_TRUE(runtime.gemm(problem, args).ok());
  for (const auto& [n, k] : {std::pair<int64_t, int64_t>{8, 8}, {4, 4}, {8, 4}}) {
    problem.n = n;
    problem.k = k;
    const Status status = runtime.gemm(problem, args);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find("b_packed is 8 x 4"), std::string::npos) << status.message();
  }
  problem.n = 4;
  problem.k = 8;
  const PackedMatrix empty;
  args.b_packed = &empty;
  EXPECT_EQ(runtime.gemm(problem, args).code(), StatusCode::kInvalidArgument);
  args.b_packed = &packed;
  for (const testing::Target& target : testing::targets()) {
    Runtime* other = testing::shared_runtime(target);
    if (other == nullptr || target.backend == "ref") continue;
    const Status status = other->gemm(problem, args);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << target;
    EXPECT_NE(status.message().find("\"ref\""), std::string::npos) << status.message();
    // And between instruction sets of one backend.
    const PackedMatrix theirs = other->pack(b.data(), 8, 4, DType::kF32).value();
    args.b_packed = &theirs;
    EXPECT_EQ(runtime.gemm(problem, args).code(), StatusCode::kInvalidArgument) << target;
    args.b_packed = &packed;
  }
}

TEST(Packed, PackChecksItsArguments) {
  Runtime runtime = make();
  std::vector<float> b(64, 2);
  const auto message = [&](const void* data, int64_t k, int64_t n, DType type,
                           const MatrixLayout& layout) {
    const Result<PackedMatrix> packed = runtime.pack(data, k, n, type, layout);
    return packed.ok() ? std::string("ok") : packed.status().message();
  };
  EXPECT_NE(message(b.data(), -1, 4, DType::kF32, {}).find("k is -1"), std::string::npos);
  EXPECT_NE(message(b.data(), 4, -9, DType::kF32, {}).find("n is -9"), std::string::npos);
  EXPECT_NE(message(nullptr, 4, 4, DType::kF32, {}).find("b is null"), std::string::npos);
  EXPECT_NE(message(b.data(), 4, 4, static_cast<DType>(9), {}).find("type is 9"),
            std::string::npos);
  EXPECT_NE(message(b.data(), 4, 4, DType::kF32, MatrixLayout::packed()).find("kind"),
            std::string::npos);
  EXPECT_NE(message(b.data(), 4, 4, DType::kF32, MatrixLayout::row_major(3)).find("ld is 3"),
            std::string::npos);
  EXPECT_NE(message(b.data(), int64_t{1} << 31, int64_t{1} << 31, DType::kF32, {}).find("address"),
            std::string::npos);
}

TEST(Plans, OfAnotherRuntimeAreRefused) {
  Runtime one = make();
  Runtime two = make();
  GemmProblem problem;
  problem.m = problem.n = problem.k = 2;
  const GemmPlan plan = one.plan(problem).value();
  EXPECT_EQ(two.run(plan, {}).code(), StatusCode::kInvalidArgument);
  std::vector<float> x(4, 1);
  GemmArgs args;
  args.a = args.b = x.data();
  std::vector<float> c(4);
  args.c = c.data();
  EXPECT_TRUE(one.run(plan, args).ok());
  Runtime moved = std::move(one);
  EXPECT_TRUE(moved.run(plan, args).ok());
  EXPECT_EQ(plan.problem(), problem);
}

TEST(Plans, NeedTheirWorkspace) {
  if (!has_backend("cpu")) GTEST_SKIP() << "no cpu backend";
  RuntimeOptions options;
  options.backend = "cpu";
  options.threads = 2;
  Runtime runtime = make(options);
  GemmSpec spec;  // one block, deep enough that two threads share it by splitting K
  spec.m = spec.n = 64;
  spec.k = 1 << 16;
  const GemmPlan plan = runtime.plan(spec.problem()).value();
  if (plan.workspace_bytes() == 0) GTEST_SKIP() << "K is not split: " << plan.to_string();
  const testing::GemmData data(spec);
  GemmArgs args;
  args.a = data.a.data();
  args.b = data.b.data();
  args.c = data.c.data();
  std::vector<char> room(plan.workspace_bytes() + 192);
  const auto misalignment = reinterpret_cast<std::uintptr_t>(room.data()) % 64;
  char* memory = room.data() + (64 - misalignment);
  const auto code = [&](const Workspace& w) { return runtime.run(plan, args, w).code(); };
  EXPECT_EQ(code({}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({memory, plan.workspace_bytes() - 1}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({memory + 4, plan.workspace_bytes()}), StatusCode::kInvalidArgument);
  EXPECT_TRUE(std::isnan(data.c.at(0, 0)));  // nothing ran
  EXPECT_EQ(code({memory, plan.workspace_bytes()}), StatusCode::kOk);
  EXPECT_FALSE(std::isnan(data.c.at(0, 0)));
  EXPECT_TRUE(check_gemm(runtime, spec));  // with the thread's own workspace
}

TEST(Cache, CountsHitsAndMisses) {
  Runtime runtime = make();
  GemmSpec spec;
  spec.m = spec.n = spec.k = 5;
  const testing::GemmData data(spec);
  GemmArgs args;
  args.a = data.a.data();
  args.b = data.b.data();
  args.c = data.c.data();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(runtime.gemm(spec.problem(), args).ok());
  EXPECT_EQ(runtime.cache_stats().hits, 9U);
  EXPECT_EQ(runtime.cache_stats().misses, 1U);
  args.beta = 1;  // reads C: another plan
  ASSERT_TRUE(runtime.gemm(spec.problem(), args).ok());
  EXPECT_EQ(runtime.cache_stats().misses, 2U);
  EXPECT_LE(runtime.cache_stats().bytes, RuntimeOptions().cache_bytes);
}

TEST(Cache, ZeroBytesPlanEachCallAnew) {
  RuntimeOptions options;
  options.cache_bytes = 0;
  Runtime runtime = make(options);
  GemmSpec spec;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(check_gemm(runtime, spec));
  EXPECT_EQ(runtime.cache_stats().hits, 0U);
  EXPECT_EQ(runtime.cache_stats().misses, 4U);
  EXPECT_EQ(runtime.cache_stats().bytes, 0U);
}

TEST(Cache, ManyThreadsOneRuntime) {
  for (const testing::Target& target : testing::targets()) {
    Runtime* runtime = testing::shared_runtime(target);
    if (runtime == nullptr) continue;
    std::vector<std::thread> threads;
    std::atomic<int> failures{0};
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          GemmSpec spec;
          spec.m = 1 + (t + i) % 9;
          spec.n = 1 + (t * i) % 23;
          spec.k = 1 + i;
          spec.threads = 1 + t % 2;
          if (!check_gemm(*runtime, spec)) ++failures;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(failures.load(), 0) << target;
  }
}

TEST(Threads, PerRuntimeAndPerCall) {
  if (!has_backend("cpu")) GTEST_SKIP() << "no cpu backend";
  RuntimeOptions options;
  options.backend = "cpu";
  options.threads = 3;
  Runtime runtime = make(options);
  EXPECT_EQ(runtime.threads(), 3);
  GemmSpec spec;
  spec.m = spec.n = spec.k = 200;
  for (const int threads : {0, 1, 2, 3, 100}) {
    spec.threads = threads;
    EXPECT_TRUE(check_gemm(runtime, spec));
  }
}

TEST(Tools, CostModelCanBeChosen) {
  Runtime runtime = make();
  GemmSpec spec;
  spec.m = spec.n = spec.k = 9;
  for (const CostModel model :
       {CostModel::kWavePipe, CostModel::kMakespan, CostModel::kMakespanBandwidth}) {
    set_cost_model(runtime, model);
    EXPECT_EQ(plan_input(runtime, spec.problem()).value().options.model, model);
    EXPECT_TRUE(check_gemm(runtime, spec));
  }
  EXPECT_EQ(backend_of(runtime).info().name, "ref");
}

}  // namespace
}  // namespace mikpoly
