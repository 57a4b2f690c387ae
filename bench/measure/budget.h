// A time budget spread over cases of very different size.
#pragma once

#include <cstddef>
#include <vector>

namespace mikpoly::bench {

class Budget {
 public:
  // least_s: what each case needs at least, in the order in which they run. total_s 0: no limit.
  Budget(double total_s, std::vector<double> least_s);

  bool limited() const { return total_s_ > 0; }

  // Seconds that a case may take when `elapsed_s` have passed: its own least and an even part of
  // what it and the cases after it leave over. 0 where it is to be skipped: where the time left
  // does not suffice for all, the dearest are, so that one giant does not cost a hundred their
  // place.
  double share(std::size_t index, double elapsed_s) const;

 private:
  double total_s_;
  std::vector<double> least_s_;
  std::vector<std::size_t> cheapest_first_;
};

}  // namespace mikpoly::bench
