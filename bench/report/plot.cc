#include "bench/report/plot.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "bench/report/html.h"

namespace mikpoly::bench {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 280;
constexpr double kLeft = 46;
constexpr double kRight = 12;
constexpr double kTop = 24;
constexpr double kBottom = 34;
constexpr double kRim = 4;  // log2 of the largest ratio drawn

class Frame {
 public:
  explicit Frame(const std::vector<PlotPoint>& points) {
    for (const PlotPoint& point : points) {
      low_x_ = std::min(low_x_, std::floor(std::log10(point.x)));
      high_x_ = std::max(high_x_, std::ceil(std::log10(point.x)));
      const double y = std::clamp(std::log2(point.y), -kRim, kRim);
      low_y_ = std::min(low_y_, std::floor(y));
      high_y_ = std::max(high_y_, std::ceil(y));
    }
    if (low_x_ >= high_x_) high_x_ = low_x_ + 1;
  }

  double x(double flop) const { return at_x(std::log10(flop)); }
  double y(double ratio) const { return at_y(std::clamp(std::log2(ratio), -kRim, kRim)); }

  void draw(std::ostream& out) const {
    for (double power = low_x_; power <= high_x_; ++power) {
      line(out, at_x(power), kTop, at_x(power), kHeight - kBottom, "#ddd");
      out << "<text x='" << at_x(power) << "' y='" << kHeight - kBottom + 14
          << "' text-anchor='middle'>1e" << power << "</text>";
    }
    for (double power = low_y_; power <= high_y_; ++power) {
      line(out, kLeft, at_y(power), kWidth - kRight, at_y(power), power == 0 ? "#000" : "#ddd");
      out << "<text x='" << kLeft - 5 << "' y='" << at_y(power) + 4 << "' text-anchor='end'>"
          << std::exp2(power) << "</text>";
    }
    out << "<text x='" << kWidth / 2 << "' y='" << kHeight - 4
        << "' text-anchor='middle'>FLOP</text>";
  }

 private:
  double at_x(double log) const {
    return kLeft + (log - low_x_) / (high_x_ - low_x_) * (kWidth - kLeft - kRight);
  }
  double at_y(double log) const {
    return kTop + (high_y_ - log) / (high_y_ - low_y_) * (kHeight - kTop - kBottom);
  }
  static void line(std::ostream& out, double x1, double y1, double x2, double y2,
                   const char* colour) {
    out << "<line x1='" << x1 << "' y1='" << y1 << "' x2='" << x2 << "' y2='" << y2 << "' stroke='"
        << colour << "'/>";
  }

  double low_x_ = 1e9;
  double high_x_ = -1e9;
  double low_y_ = -1;
  double high_y_ = 1;
};

}  // namespace

std::string plot_ratios(const std::vector<PlotPoint>& points, const std::string& title) {
  if (points.empty()) return {};
  std::ostringstream out;
  out.precision(5);
  const Frame frame(points);
  out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << kWidth << " " << kHeight
      << "' width='" << kWidth << "' font-size='11' font-family='sans-serif'>";
  out << "<text x='" << kLeft << "' y='15' font-weight='bold'>" << escape_html(title) << "</text>";
  frame.draw(out);
  for (const PlotPoint& point : points) {
    out << "<circle cx='" << frame.x(point.x) << "' cy='" << frame.y(point.y) << "' r='2.5' fill='"
        << (point.y >= 1 ? "#2a7" : "#c33") << "' fill-opacity='0.6'><title>"
        << escape_html(point.label) << "</title></circle>";
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace mikpoly::bench
