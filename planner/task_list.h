// The tasks of a plan as classes of equal tasks, and the time slots need to work them off. Inner
// header of the cost model and the search.
#pragma once

#include <algorithm>
#include <array>

#include "planner/hot_kernel.h"

namespace mikpoly {

struct TaskClass {
  double count;
  double ns;  // of one task
};

// Slots that take the longest task first, in closed form: O(classes), not O(tasks). Two levels
// stand for the slots' states: `behind_` slots are free at lo_, the others at hi_. One class alone
// gives exactly ceil(count / slots) * ns. Where a class leaves more than two levels the lower ones
// are replaced by their mean, so the result may fall short of a true longest-first schedule by a
// part of a short task, but never below max(total / slots, longest task).
class SlotTimes {
 public:
  explicit SlotTimes(double slots) : slots_(slots), inv_slots_(1 / slots), behind_(slots) {}

  // Classes must come longest first.
  void add(TaskClass tasks) {
    double count = tasks.count;
    if (count <= 0 || tasks.ns <= 0) return;
    if (hi_ > lo_ && fill_gap(tasks.ns, &count)) return;
    add_waves(tasks.ns, count);
  }
  double makespan() const { return hi_; }
  // Slots that stay idle while the last wave runs.
  double behind() const { return behind_; }

 private:
  // Puts tasks on the slots that would otherwise wait for the others; true where that takes all.
  bool fill_gap(double ns, double* count) {
    constexpr double kRounding = 1e-9;  // equal classes must fill a gap of their own length
    const double rows = floor_of((hi_ - lo_) / ns + kRounding);
    if (rows <= 0) return false;
    const double room = rows * behind_;
    if (*count <= room) {
      lo_ = std::min(hi_, lo_ + *count * ns / behind_);
      return true;
    }
    lo_ = std::min(hi_, lo_ + rows * ns);
    *count -= room;
    return false;
  }

  void add_waves(double ns, double count) {
    const double waves = floor_of((count + 0.5) * inv_slots_);
    lo_ += waves * ns;
    hi_ += waves * ns;
    const double rest = count - waves * slots_;
    if (rest <= 0) return;
    const double kept = slots_ - rest;
    if (kept <= 0) {
      lo_ = hi_ = hi_ + ns;
      behind_ = slots_;
    } else if (rest <= behind_) {
      const double top = std::max(hi_, lo_ + ns);
      lo_ = ((behind_ - rest) * lo_ + (slots_ - behind_) * hi_) / kept;
      hi_ = top;
      behind_ = kept;
    } else {
      lo_ = hi_;
      hi_ += ns;
      behind_ = kept;
    }
  }

  double slots_;
  double inv_slots_;
  double behind_;
  double lo_ = 0;
  double hi_ = 0;
};

// Task classes of several regions, kept longest first.
class TaskList {
 public:
  static constexpr int kMaxClasses = 28;  // seven regions of four classes each

  void clear() { count_ = 0; }

  void add(double count, double ns) {
    if (count <= 0) return;
    int place = count_++;
    for (; place > 0 && classes_[place - 1].ns < ns; --place) classes_[place] = classes_[place - 1];
    classes_[place] = {count, ns};
  }

  // Adds a region's blocks: full ones, the right column, the bottom row, the corner. `ns` is the
  // time of a full block's task, each block makes `slices` tasks, and a task takes `share_of_slot`
  // of a slot: 1, or less where the kernel keeps more blocks resident than the slots are counted
  // in. Shares are rounded up to whole slots.
  void add_region(const HotKernel& kernel, double rows, double cols, double ns, double slices,
                  double share_of_slot) {
    const double full_m = kernel.m.full(rows);
    const double full_n = kernel.n.full(cols);
    const double rest_m = rows - full_m * kernel.m.block;
    const double rest_n = cols - full_n * kernel.n.block;
    const double share_m = rest_m > 0 ? kernel.m.share(rest_m) : 0;
    const double share_n = rest_n > 0 ? kernel.n.share(rest_n) : 0;
    const auto tasks = [&](double blocks) {
      const double count = blocks * slices;
      return share_of_slot == 1 ? count : ceil_of(count * share_of_slot);
    };
    if (full_m > 0 && full_n > 0) add(tasks(full_m * full_n), ns);
    if (full_m > 0 && rest_n > 0) add(tasks(full_m), ns * share_n);
    if (rest_m > 0 && full_n > 0) add(tasks(full_n), ns * share_m);
    if (rest_m > 0 && rest_n > 0) add(tasks(1), ns * share_m * share_n);
  }

  double longest() const { return count_ > 0 ? classes_[0].ns : 0; }

  double makespan(double slots) const {
    SlotTimes times(slots);
    for (int i = 0; i < count_; ++i) times.add(classes_[i]);
    return times.makespan();
  }

 private:
  std::array<TaskClass, kMaxClasses> classes_;
  int count_ = 0;
};

}  // namespace mikpoly
