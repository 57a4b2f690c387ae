// Threads, processes, hangs: rows T.
#include <omp.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Targets, Conformance, ::testing::ValuesIn(targets()), target_name);

GemmSpec spec_of(int64_t m, int64_t n, int64_t k) {
  GemmSpec spec;
  spec.m = m;
  spec.n = n;
  spec.k = k;
  return spec;
}

// 0 if work() is true in a child process within the time, else its exit code or signal.
template <class Work>
int in_child(Work work) {
  constexpr unsigned kSeconds = 60;
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSeconds);  // a hang ends by signal
    _exit(work() ? 0 : 1);
  }
  int state = 0;
  waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state);
}

TEST_P(Conformance, CaseT1_T2_T17_ForkedChildFinishes) {
  // A size that threads serve and a small one, first in the parent, then in the child.
  const GemmSpec large = spec_of(300, 300, is("ref") ? 20 : 300);
  const GemmSpec small = spec_of(8, 8, 8);
  ASSERT_TRUE(check_gemm(runtime(), large));
  ASSERT_TRUE(check_gemm(runtime(), small));
  EXPECT_EQ(in_child([&] { return check_gemm(runtime(), small) && check_gemm(runtime(), large); }),
            0);
  EXPECT_TRUE(check_gemm(runtime(), large));  // the parent goes on
}

TEST_P(Conformance, CaseT17_RuntimeCreatedInTheChild) {
  ASSERT_TRUE(check_gemm(runtime(), spec_of(200, 200, 20)));
  EXPECT_EQ(in_child([&] {
              RuntimeOptions options;
              options.threads = 2;
              Result<Runtime> own = create_runtime(GetParam(), options);
              return own.ok() && check_gemm(own.value(), spec_of(200, 200, 20));
            }),
            0);
}

TEST_P(Conformance, CaseT3_ThreadCountChangedBetweenCalls) {
  const int before = omp_get_max_threads();
  const GemmSpec spec = spec_of(250, 250, 30);
  for (const int threads : {1, 4, 2, 8, 1}) {
    omp_set_num_threads(threads);
    EXPECT_TRUE(check_gemm(runtime(), spec));
    EXPECT_EQ(omp_get_max_threads(), threads);  // the caller's setting stays
  }
  omp_set_num_threads(before);
}

TEST_P(Conformance, CaseT4_InsideNestedParallelRegions) {
  std::atomic<int> failures{0};
  const GemmSpec spec = spec_of(120, 130, 40);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; ++i) {
      if (!check_gemm(runtime(), spec)) ++failures;
    }
  }
  EXPECT_EQ(failures.load(), 0);
}

TEST_P(Conformance, CaseT6_FromManyOmpThreads_AsF32) {
  std::atomic<int> failures{0};
  GemmSpec spec = spec_of(200, 100, 100);
  spec.b = MatrixLayout::transposed();
#pragma omp parallel num_threads(8)
  {
    if (!check_gemm(runtime(), spec)) ++failures;
  }
  EXPECT_EQ(failures.load(), 0);
}

TEST_P(Conformance, CaseT8_LoopOfMatrixVectorEqualsSerial) {
  GemmSpec spec = spec_of(300, 1, 300);
  spec.a = MatrixLayout::transposed();
  spec.fill = Fill::kRandom;
  spec.threads = 1;
  const GemmData data(spec);
  const std::vector<float> serial = run_gemm(runtime(), spec, data).value();
  std::atomic<int> different{0};
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 200; ++i) {
    std::vector<float> y(300);
    GemmArgs args;
    args.a = data.a.data();
    args.b = data.b.data();
    args.c = y.data();
    args.threads = 1;
    if (!runtime().gemm(spec.problem(), args).ok() || y != serial) ++different;
  }
  EXPECT_EQ(different.load(), 0);
}

TEST_P(Conformance, CaseT6_FromManyPlainThreads) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i) {
        if (!check_gemm(runtime(), spec_of(150 + t, 160, 30 + i))) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
}

TEST_P(Conformance, CaseT11_AffinityLimitsThreads) {
  if (!is("cpu")) GTEST_SKIP() << "the cpu backend's duty";
  EXPECT_EQ(in_child([&] {
              cpu_set_t one;
              CPU_ZERO(&one);
              CPU_SET(sched_getcpu(), &one);
              if (sched_setaffinity(0, sizeof one, &one) != 0) return false;
              const Result<Runtime> own = create_runtime(GetParam(), {});
              return own.ok() && own.value().threads() == 1;
            }),
            0);
}

TEST_P(Conformance, CaseT13_TwoRuntimesWithTheirOwnThreadCounts) {
  RuntimeOptions one;
  one.threads = 1;
  RuntimeOptions three;
  three.threads = 3;
  Runtime first = create_runtime(GetParam(), one).value();
  Runtime second = create_runtime(GetParam(), three).value();
  EXPECT_EQ(first.threads(), 1);
  EXPECT_EQ(second.threads(), is("ref") ? 1 : 3);
  const GemmSpec spec = spec_of(220, 210, 30);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(check_gemm(first, spec));
    EXPECT_TRUE(check_gemm(second, spec));
  }
}

}  // namespace
}  // namespace mikpoly::testing
