#include "backends/cpu/execute.h"

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "backends/cpu/float_mode.h"
#include "backends/cpu/scratch.h"
#include "kernels/cpu/parts.h"

namespace mikpoly::cpu {
namespace {

std::atomic<bool> pool_started{false};
std::atomic<bool> pool_lost{false};

// The blocks of one region, counted down its columns first so that neighbours share B.
struct RegionTasks {
  const Region* region;
  const BlockKernel* kernel;
  int64_t block_rows;
  int64_t blocks;
  int64_t first_task;  // of the plan's task list
  float* partials;     // one um x un block a slice a block; null unless K is split
};

class PlanRun {
 public:
  PlanRun(const KernelSet& set, std::span<const BlockKernel> kernels, const GemmCall& call,
          const Plan& plan, const GemmArgs& args, Workspace workspace)
      : set_(set),
        call_(call),
        args_(args),
        c_(static_cast<float*>(args.c)),
        count_(plan.region_count) {
    auto* partials = static_cast<float*>(workspace.data);
    for (int i = 0; i < count_; ++i) {
      const Region& region = plan.regions[static_cast<size_t>(i)];
      RegionTasks& r = regions_[static_cast<size_t>(i)];
      r.region = &region;
      r.kernel = &kernels[static_cast<size_t>(region.kernel)];
      r.block_rows = ceil_div(region.rows, r.kernel->um);
      r.blocks = r.block_rows * ceil_div(region.cols, r.kernel->un);
      r.first_task = tasks_;
      tasks_ += r.blocks * region.k_slices;
      r.partials = nullptr;
      if (region.k_slices > 1) {
        r.partials = partials;
        partials += r.blocks * region.k_slices * r.kernel->um * r.kernel->un;
        split_ = true;
      }
      int64_t floats = scratch_floats(*r.kernel, set);
      if (call.c.col != 1) floats += int64_t{r.kernel->um} * r.kernel->un;
      scratch_floats_ = std::max(scratch_floats_, floats);
    }
    set_operands();
  }

  int64_t tasks() const { return tasks_; }
  bool split() const { return split_; }
  int64_t needed_scratch() const { return scratch_floats_; }

  void run_task(int64_t task, float* scratch) const {
    const RegionTasks& r = find(task);
    const int64_t local = task - r.first_task;
    const int64_t slice = local % r.region->k_slices;
    Block block = block_at(r, local / r.region->k_slices);
    if (r.partials == nullptr) {
      block.depth = call_.shape.k;
      write_block(r, block, scratch);
      return;
    }
    const int64_t slices = r.region->k_slices;
    block.k = call_.shape.k * slice / slices;
    block.depth = call_.shape.k * (slice + 1) / slices - block.k;
    const Output out{r.partials + local * r.kernel->um * r.kernel->un, r.kernel->un, 1.0F, 0.0F};
    run_block(*r.kernel, set_, operands_, block, out, scratch);
  }

  // Adds the slices of a block in their order, so that the result does not depend on threads.
  void reduce_block(int64_t index) const {
    for (int i = 0; i < count_; ++i) {
      const RegionTasks& r = regions_[static_cast<size_t>(i)];
      if (r.partials == nullptr) continue;
      if (index < r.blocks) {
        add_slices(r, index);
        return;
      }
      index -= r.blocks;
    }
  }

  int64_t split_blocks() const {
    int64_t blocks = 0;
    for (int i = 0; i < count_; ++i) {
      const RegionTasks& r = regions_[static_cast<size_t>(i)];
      if (r.partials != nullptr) blocks += r.blocks;
    }
    return blocks;
  }

 private:
  void set_operands() {
    operands_.a = static_cast<const float*>(args_.a);
    operands_.a_row = call_.a.row;
    operands_.a_rows = call_.shape.m;
    operands_.a_k = call_.a.col;
    if (call_.b_packed) {
      const PackedMatrix::Impl& packed = *args_.b_packed->impl();
      operands_.b = static_cast<const float*>(packed.data.get());
      operands_.packed_depth = packed.rows;
      operands_.b_k = 1;  // as a packed matrix of few columns lies: column by column
      operands_.b_col = packed.rows;
    } else {
      operands_.b = static_cast<const float*>(args_.b);
      operands_.b_k = call_.b.row;
      operands_.b_col = call_.b.col;
    }
  }

  const RegionTasks& find(int64_t task) const {
    int i = count_ - 1;
    while (regions_[static_cast<size_t>(i)].first_task > task) --i;
    return regions_[static_cast<size_t>(i)];
  }

  // Blocks of a region are nearly equal, columns in whole vectors: as the planner counts them.
  Block block_at(const RegionTasks& r, int64_t index) const {
    const int64_t i = index % r.block_rows;
    const int64_t j = index / r.block_rows;
    const int64_t block_cols = r.blocks / r.block_rows;
    const int64_t lanes = r.kernel->b == BSource::kDot ? 1 : set_.lanes;
    const int64_t vectors = ceil_div(r.region->cols, lanes);
    const int64_t row = part_begin(r.region->rows, r.block_rows, i);
    const int64_t col = part_begin(vectors, block_cols, j) * lanes;
    const int64_t end = std::min(part_begin(vectors, block_cols, j + 1) * lanes, r.region->cols);
    Block block;
    block.row = r.region->row + row;
    block.col = r.region->col + col;
    block.rows = part_begin(r.region->rows, r.block_rows, i + 1) - row;
    block.cols = end - col;
    block.bottom_up = j % 2 == 1;
    return block;
  }

  float* c_at(const Block& block) const {
    return c_ + block.row * call_.c.row + block.col * call_.c.col;
  }

  void write_block(const RegionTasks& r, const Block& block, float* scratch) const {
    if (call_.c.col == 1) {
      const Output out{c_at(block), call_.c.row, args_.alpha, args_.beta};
      run_block(*r.kernel, set_, operands_, block, out, scratch);
      return;
    }
    float* tile = scratch + scratch_floats(*r.kernel, set_);
    const Output out{tile, r.kernel->un, 1.0F, 0.0F};
    run_block(*r.kernel, set_, operands_, block, out, scratch);
    store(block, tile, r.kernel->un);
  }

  // C = alpha * sums + beta * C, whatever C's strides.
  void store(const Block& block, const float* sums, int64_t sums_row) const {
    float* c = c_at(block);
    for (int64_t i = 0; i < block.rows; ++i) {
      for (int64_t j = 0; j < block.cols; ++j) {
        float* p = c + i * call_.c.row + j * call_.c.col;
        const float value = args_.alpha * sums[i * sums_row + j];
        *p = args_.beta == 0.0F ? value : value + args_.beta * *p;
      }
    }
  }

  void add_slices(const RegionTasks& r, int64_t index) const {
    const Block block = block_at(r, index);
    const int64_t size = int64_t{r.kernel->um} * r.kernel->un;
    float* sum = r.partials + index * r.region->k_slices * size;
    for (int64_t s = 1; s < r.region->k_slices; ++s) {
      const float* slice = sum + s * size;
      for (int64_t i = 0; i < block.rows; ++i) {
        float* row = sum + i * r.kernel->un;
        const float* add = slice + i * r.kernel->un;
        for (int64_t j = 0; j < block.cols; ++j) row[j] += add[j];
      }
    }
    store(block, sum, r.kernel->un);
  }

  const KernelSet& set_;
  const GemmCall& call_;
  const GemmArgs& args_;
  float* c_;
  int count_;
  Operands operands_;
  std::array<RegionTasks, Plan::kMaxRegions> regions_;
  int64_t tasks_ = 0;
  int64_t scratch_floats_ = 0;
  bool split_ = false;
};

Status out_of_scratch() { return {StatusCode::kOutOfMemory, "no memory for the packing scratch"}; }

Status run_serial(const PlanRun& run) {
  float* scratch = thread_scratch(run.needed_scratch());
  if (scratch == nullptr && run.needed_scratch() > 0) return out_of_scratch();
  for (int64_t i = 0; i < run.tasks(); ++i) run.run_task(i, scratch);
  if (!run.split()) return {};
  for (int64_t i = 0; i < run.split_blocks(); ++i) run.reduce_block(i);
  return {};
}

// Hands tasks [0, count) out: each thread works through its own contiguous share, where neighbours
// reuse operands, then takes what others have left. Which thread runs a task does not change its
// bits.
class TaskQueue {
 public:
  static constexpr int kMaxThreads = 256;

  TaskQueue(int64_t count, int threads) : count_(count), threads_(threads) {
    for (int i = 0; i < threads; ++i) next_[static_cast<size_t>(i)].value.store(begin(i));
  }

  template <class Run>
  void work(int thread, Run run) {
    for (int i = 0; i < threads_; ++i) {
      const int owner = (thread + i) % threads_;
      auto& next = next_[static_cast<size_t>(owner)].value;
      const int64_t end = begin(owner + 1);
      // The load keeps counters of finished shares from being written for nothing.
      while (next.load(std::memory_order_relaxed) < end) {
        const int64_t task = next.fetch_add(1, std::memory_order_relaxed);
        if (task < end) run(task);
      }
    }
  }

 private:
  struct alignas(64) Counter {
    std::atomic<int64_t> value;
  };
  int64_t begin(int i) const { return part_begin(count_, threads_, i); }

  const int64_t count_;
  const int threads_;
  std::array<Counter, kMaxThreads> next_;
};

// A thread without scratch takes no task; the call fails only if no thread has any.
Status run_parallel(const PlanRun& run, int units) {
  pool_started.store(true, std::memory_order_relaxed);
  const unsigned int mode = float_mode();
  units = std::min(units, TaskQueue::kMaxThreads);
  TaskQueue tasks(run.tasks(), units);
  TaskQueue blocks(run.split() ? run.split_blocks() : 0, units);
  std::atomic<bool> any_scratch{false};
#pragma omp parallel num_threads(units)
  {
    const ScopedFloatMode scope(mode);
    const int thread = omp_get_thread_num();
    float* scratch = thread_scratch(run.needed_scratch());
    if (scratch != nullptr || run.needed_scratch() == 0) {
      any_scratch.store(true, std::memory_order_relaxed);
      tasks.work(thread, [&](int64_t i) { run.run_task(i, scratch); });
    }
    if (run.split()) {
#pragma omp barrier
      blocks.work(thread, [&](int64_t i) { run.reduce_block(i); });
    }
  }
  return any_scratch.load() ? Status{} : out_of_scratch();
}

}  // namespace

bool pool_usable() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    if (pool_started.load(std::memory_order_relaxed)) pool_lost.store(true);
  });
  return registered == 0 && !pool_lost.load(std::memory_order_relaxed);
}

Status execute(const KernelSet& set, std::span<const BlockKernel> kernels, const GemmCall& call,
               const Plan& plan, const GemmArgs& args, Workspace workspace) {
  const PlanRun run(set, kernels, call, plan, args, workspace);
  const auto units = static_cast<int>(std::min<int64_t>(plan.units, run.tasks()));
  return units <= 1 ? run_serial(run) : run_parallel(run, units);
}

}  // namespace mikpoly::cpu
