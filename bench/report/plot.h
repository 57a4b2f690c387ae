// Ratios over problem size as an SVG drawing.
#pragma once

#include <string>
#include <vector>

namespace mikpoly::bench {

struct PlotPoint {
  double x = 1;  // FLOP, positive
  double y = 1;  // ratio, positive
  std::string label;
};

// Both axes logarithmic; a line at ratio 1. Points beyond a factor of 16 lie at the rim.
std::string plot_ratios(const std::vector<PlotPoint>& points, const std::string& title);

}  // namespace mikpoly::bench
