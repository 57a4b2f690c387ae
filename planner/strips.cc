#include "planner/strips.h"

namespace mikpoly {

Strips least_whole(std::span<const TimedKernel> kernels, double rows, double cols, double limit) {
  Strips best;
  best.work = limit;
  const double area = rows * cols;
  for (const TimedKernel& candidate : kernels) {
    if (candidate.least_rate * area >= best.work) continue;
    const double work = candidate.work(rows, cols);
    if (work >= best.work) continue;
    best.first = candidate;
    best.work = work;
  }
  return best;
}

Strips least_strips(std::span<const TimedKernel> kernels, double rows, double cols, bool along_m,
                    double least_rate, double limit) {
  Strips best;
  best.work = limit;
  const double length = along_m ? rows : cols;
  for (const TimedKernel& candidate : kernels) {
    const Axis& axis = along_m ? candidate.kernel->m : candidate.kernel->n;
    const double cut = axis.full(length) * axis.block;
    const double rest = length - cut;
    if (cut <= 0 || rest <= 0) continue;
    const double first_work = along_m ? candidate.work(cut, cols) : candidate.work(rows, cut);
    const double rest_rows = along_m ? rest : rows;
    const double rest_cols = along_m ? cols : rest;
    if (first_work + rest_rows * rest_cols * least_rate >= best.work) continue;
    const Strips second = least_whole(kernels, rest_rows, rest_cols, best.work - first_work);
    const double work = first_work + second.work;
    if (second.first.kernel == nullptr || work >= best.work) continue;
    best = {.first = candidate, .second = second.first, .length = cut, .work = work};
  }
  return best;
}

}  // namespace mikpoly
