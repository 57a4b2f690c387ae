#include "backends/cpu/execute.h"

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

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
  int64_t first_task;   // of the plan's task list
  std::byte* partials;  // one um x un block a slice a block; null unless K is split
};

// The values that stand beside the packed panels of an s32 set: sums of columns.
const int32_t* sums_of(const PackedMatrix::Impl& packed, const KernelSet& set) {
  if (set.sum_columns == nullptr) return nullptr;
  const auto* data = static_cast<const std::byte*>(packed.data.get());
  return reinterpret_cast<const int32_t*>(data + packed_elements(packed.rows, packed.cols, set) *
                                                     set.in_bytes);
}

class PlanRun {
 public:
  PlanRun(const Formats& formats, std::span<const BlockKernel> kernels, const GemmCall& call,
          const Plan& plan, const CallArgs& args, Workspace workspace)
      : formats_(formats), set_(*formats.set), call_(call), args_(args), count_(plan.region_count) {
    set_finishing();
    auto* partials = static_cast<std::byte*>(workspace.data);
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
        partials += r.blocks * region.k_slices * slice_bytes(r);
        split_ = true;
      }
      scratch_bytes_ = std::max(scratch_bytes_, scratch_bytes(*r.kernel, set_, !in_place_));
    }
    set_operands();
  }

  int64_t tasks() const { return tasks_; }
  bool split() const { return split_; }
  int64_t needed_scratch() const { return scratch_bytes_; }

  void run_task(int64_t task, std::byte* scratch) const {
    const RegionTasks& r = find(task);
    const int64_t local = task - r.first_task;
    const int64_t slice = local % r.region->k_slices;
    Block block = block_at(r, local / r.region->k_slices);
    if (r.partials == nullptr) {
      block.depth = call_.shape.k;
      write_block(r, block, scratch);
      return;
    }
    block.k = slice_begin(r, slice);
    block.depth = slice_begin(r, slice + 1) - block.k;
    const Output out{r.partials + local * slice_bytes(r), r.kernel->un};
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
  int64_t slice_bytes(const RegionTasks& r) const {
    return int64_t{r.kernel->um} * r.kernel->un * set_.out_bytes;
  }

  // Slices begin at whole groups.
  int64_t slice_begin(const RegionTasks& r, int64_t slice) const {
    const int64_t groups = ceil_div(call_.shape.k, set_.group);
    return std::min(groups * slice / r.region->k_slices * set_.group, call_.shape.k);
  }

  void set_operands() {
    operands_.a = args_.a;
    operands_.a_type = call_.a_type;
    operands_.b_type = call_.b_type;
    operands_.a_row = call_.a.row;
    operands_.a_rows = call_.shape.m;
    operands_.a_k = call_.a.col;
    if (call_.b_packed) {
      const PackedMatrix::Impl& packed = *args_.b_packed->impl();
      operands_.b = packed.data.get();
      const PackedLayout layout = packed_layout(packed.cols, formats_);
      if (layout == PackedLayout::kColumns) {
        operands_.b_k = 1;
        operands_.b_col = packed.rows;
      } else {
        operands_.packed_depth = packed.rows;
      }
      if (layout == PackedLayout::kPanels) operands_.packed_sums = sums_of(packed, set_);
    } else {
      operands_.b = args_.b;
      operands_.b_k = call_.b.row;
      operands_.b_col = call_.b.col;
    }
  }

  // Tiles write C themselves where it is of their type, its rows are contiguous, and nothing more
  // is asked for.
  void set_finishing() {
    Finishing& f = finishing_;
    f.c = args_.c;
    f.c_at = {call_.c.row, call_.c.col};
    f.c_type = call_.c_type;
    f.alpha = args_.alpha;
    f.beta = args_.beta;
    f.depth = call_.shape.k;
    const bool integers = set_.sum_columns != nullptr;
    f.a_shift = set_.math == Math::kS8 && call_.a_type == DType::kS8 ? 128 : 0;
    const DType sums = integers ? DType::kS32 : set_.math == Math::kF64 ? DType::kF64 : DType::kF32;
    in_place_ = call_.c_type == sums && call_.c.col == 1 && f.a_shift == 0 && args_.plain();
    if (args_.plain()) return;
    f.step_count = args_.step_count;
    for (int i = 0; i < args_.step_count; ++i) {
      const CallStep& s = args_.steps[static_cast<size_t>(i)];
      f.steps[static_cast<size_t>(i)] = {s.kind, s.type, s.operand, {s.at.row, s.at.col},
                                         s.low,  s.high};
    }
    const Quantization& q = args_.quantization;
    f.a_scale = q.a.scale;
    f.a_scale_row = q.a.scale_per_channel ? 1 : 0;
    f.a_zero = q.a.zero_point;
    f.a_zero_row = q.a.zero_point_per_channel ? 1 : 0;
    f.b_scale = q.b.scale;
    f.b_scale_col = q.b.scale_per_channel ? 1 : 0;
    f.b_zero = q.b.zero_point;
    f.b_zero_col = q.b.zero_point_per_channel ? 1 : 0;
    if (q.c.scale != nullptr) f.c_scale = *q.c.scale;
    if (q.c.zero_point != nullptr) f.c_zero = *q.c.zero_point;
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

  void write_block(const RegionTasks& r, const Block& block, std::byte* scratch) const {
    Output out;
    if (in_place_) {
      out.c = static_cast<std::byte*>(args_.c) +
              (block.row * call_.c.row + block.col * call_.c.col) * set_.out_bytes;
      out.row = call_.c.row;
      out.alpha = args_.alpha;
      out.beta = args_.beta;
    } else {
      out.finishing = &finishing_;
    }
    run_block(*r.kernel, set_, operands_, block, out, scratch);
  }

  template <class Sum>
  void add_slices(const RegionTasks& r, const Block& block, std::byte* first) const {
    const int64_t size = int64_t{r.kernel->um} * r.kernel->un;
    auto* sum = reinterpret_cast<Sum*>(first);
    for (int64_t s = 1; s < r.region->k_slices; ++s) {
      const Sum* slice = sum + s * size;
      for (int64_t i = 0; i < block.rows; ++i) {
        Sum* row = sum + i * r.kernel->un;
        const Sum* add = slice + i * r.kernel->un;
        for (int64_t j = 0; j < block.cols; ++j) row[j] += add[j];
      }
    }
  }

  void add_slices(const RegionTasks& r, int64_t index) const {
    const Block block = block_at(r, index);
    std::byte* sums = r.partials + index * r.region->k_slices * slice_bytes(r);
    if (set_.sum_columns != nullptr) {
      add_slices<uint32_t>(r, block, sums);  // modulo 2^32, as the tiles add
    } else if (set_.math == Math::kF64) {
      add_slices<double>(r, block, sums);
    } else {
      add_slices<float>(r, block, sums);
    }
    finish_block(r, block, sums);
  }

  // The second slice's place has been read and takes the sums of A's rows, where they are needed.
  void finish_block(const RegionTasks& r, const Block& block, std::byte* sums) const {
    FinishArgs f{&finishing_, sums,       r.kernel->un, block.row, block.col,
                 block.rows,  block.cols, nullptr,      nullptr};
    if (operands_.packed_sums != nullptr) f.column_sums = operands_.packed_sums + block.col;
    if (finishing_.needs_row_sums()) {
      auto* row_sums = reinterpret_cast<int32_t*>(sums + slice_bytes(r));
      sum_rows(operands_, block.row, block.rows, call_.shape.k, row_sums);
      f.row_sums = row_sums;
    }
    set_.finish(f);
  }

  const Formats& formats_;
  const KernelSet& set_;
  const GemmCall& call_;
  const CallArgs& args_;
  int count_;
  Operands operands_;
  Finishing finishing_;
  bool in_place_ = true;
  std::array<RegionTasks, Plan::kMaxRegions> regions_;
  int64_t tasks_ = 0;
  int64_t scratch_bytes_ = 0;
  bool split_ = false;
};

Status out_of_scratch() { return {StatusCode::kOutOfMemory, "no memory for the packing scratch"}; }

Status run_serial(const PlanRun& run) {
  std::byte* scratch = thread_scratch(run.needed_scratch());
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
    std::byte* scratch = thread_scratch(run.needed_scratch());
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

Status execute(const Formats& formats, std::span<const BlockKernel> kernels, const GemmCall& call,
               const Plan& plan, const CallArgs& args, Workspace workspace) {
  const PlanRun run(formats, kernels, call, plan, args, workspace);
  const auto units = static_cast<int>(std::min<int64_t>(plan.units, run.tasks()));
  return units <= 1 ? run_serial(run) : run_parallel(run, units);
}

}  // namespace mikpoly::cpu
