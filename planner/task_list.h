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
// stand for the slots' states: `behind_` slots are free at lo_, the others at hi_. Where a class
// leaves more than two levels, the slots between them count as busy until the level above,
// whichever wastes less. So the result is the time of a schedule that exists: never below max(total
// / slots, longest task), exactly ceil(count / slots) * ns for one class alone, and above a true
// longest-first schedule by at most a part of a task.
class SlotTimes {
 public:
  SlotTimes(double slots, double inv_slots)
      : slots_(slots), inv_slots_(inv_slots), behind_(slots) {}

  // Classes must come longest first.
  void add(TaskClass tasks) {
    double count = tasks.count;
    if (count <= 0 || tasks.ns <= 0) return;
    if (hi_ > lo_ && fill_gap(tasks.ns, &count)) return;
    add_waves(tasks.ns, count);
  }
  double makespan() const { return hi_; }

 private:
  // Puts tasks on the slots that would otherwise wait for the others; true where that takes all.
  bool fill_gap(double ns, double* count) {
    constexpr double kRounding = 1e-9;  // equal classes must fill a gap of their own length
    const double rows = floor_of((hi_ - lo_) / ns + kRounding);
    if (rows <= 0) return false;
    const double room = rows * behind_;
    if (*count <= room) {
      behind_ -= rows == 1 ? *count : ceil_of(*count / rows);
      if (behind_ <= 0) level();
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
    if (rest <= behind_) {
      const double top = std::max(hi_, lo_ + ns);
      const double ahead = slots_ - behind_;
      const bool keep_lo = ahead * (top - hi_) <= (behind_ - rest) * (hi_ - lo_);
      if (!keep_lo) lo_ = hi_;
      behind_ = keep_lo ? behind_ - rest : slots_ - rest;
      hi_ = top;
    } else {
      lo_ = hi_;
      hi_ += ns;
      behind_ = slots_ - rest;
    }
    if (behind_ <= 0) level();
  }

  // All slots are free at hi_.
  void level() {
    lo_ = hi_;
    behind_ = slots_;
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

  TaskList() = default;
  explicit TaskList(const Grid& grid, double ns, double slices = 1) {
    add_grid(grid, ns, slices, 1);
  }
  TaskList(const TaskList& other) : count_(other.count_) {
    for (int i = 0; i < count_; ++i) classes_[i] = other.classes_[i];  // not the unused rest
  }
  TaskList& operator=(const TaskList&) = delete;

  void add(double count, double ns) {
    int place = count_;
    while (place > 0 && classes_[place - 1].ns < ns) --place;
    if (place > 0 && classes_[place - 1].ns == ns) {
      classes_[place - 1].count += count;
      return;
    }
    for (int i = count_++; i > place; --i) classes_[i] = classes_[i - 1];
    classes_[place] = {count, ns};
  }

  // Puts the tasks on slots that already hold longer ones.
  double after(SlotTimes times) const {
    for (int i = 0; i < count_; ++i) times.add(classes_[i]);
    return times.makespan();
  }

  // Adds a region's blocks, up to two sizes along each dimension. `ns` is the
  // time of a full block's task, each block makes `slices` tasks, and a task takes `share_of_slot`
  // of a slot: 1, or less where the kernel keeps more blocks resident than the slots are counted
  // in. Shares are rounded up to whole slots.
  void add_grid(const Grid& grid, double ns, double slices, double share_of_slot) {
    const auto tasks = [&](double blocks) {
      const double count = blocks * slices;
      return share_of_slot == 1 ? count : ceil_of(count * share_of_slot);
    };
    const Fit& m = grid.m;
    const Fit& n = grid.n;
    add(tasks(m.big * n.big), ns * m.big_share * n.big_share);
    if (n.small > 0) add(tasks(m.big * n.small), ns * m.big_share * n.small_share);
    if (m.small > 0) add(tasks(m.small * n.big), ns * m.small_share * n.big_share);
    if (m.small > 0 && n.small > 0) {
      add(tasks(m.small * n.small), ns * m.small_share * n.small_share);
    }
  }

  double shortest() const { return classes_[count_ - 1].ns; }

  SlotTimes times(double slots, double inv_slots) const {
    SlotTimes state(slots, inv_slots);
    for (int i = 0; i < count_; ++i) state.add(classes_[i]);
    return state;
  }

 private:
  std::array<TaskClass, kMaxClasses> classes_;
  int count_ = 0;
};

}  // namespace mikpoly
