#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "planner/drawing.h"
#include "planner/explain.h"
#include "planner/hot_kernel.h"

namespace mikpoly {
namespace {

constexpr double kWidth = 720;  // of the drawn output, at most
constexpr double kHeight = 480;
constexpr double kMargin = 24;
constexpr double kLineHeight = 20;
constexpr double kLeastSide = 12;  // an output of one row must stay visible
constexpr double kLeastBlock = 3;  // pixels; smaller blocks would be a grey smear

// Distinguishable with colour-blind eyes and in print: the set of Okabe and Ito, lightened.
constexpr std::array<const char*, 7> kColours = {"#8ecae6", "#f4c46b", "#8fd3b0", "#f2a07b",
                                                 "#c9b1e0", "#e8e27a", "#c7cdd4"};

// The names come from a backend, so they are escaped.
std::string escape(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + fixed(value, 2) + '"';
}

std::string text_at(double x, double y, const std::string& text, const char* anchor = "start") {
  return "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + "\">" +
         escape(text) + "</text>\n";
}

class Svg {
 public:
  Svg(const Plan& plan, const Catalog& catalog)
      : plan_(plan),
        catalog_(catalog),
        m_(static_cast<double>(std::max<int64_t>(plan.shape.m, 1))),
        n_(static_cast<double>(std::max<int64_t>(plan.shape.n, 1))) {
    const double scale = std::min(kWidth / n_, kHeight / m_);
    x_scale_ = std::max(n_ * scale, kLeastSide) / n_;
    y_scale_ = std::max(m_ * scale, kLeastSide) / m_;
  }

  std::string document() {
    const double top = 2 * kLineHeight;
    std::string body = text_at(kMargin, kMargin, title());
    for (int i = 0; i < plan_.region_count; ++i) body += region(i, kMargin, top);
    double y = top + m_ * y_scale_ + 1.5 * kLineHeight;
    for (int i = 0; i < plan_.region_count; ++i, y += kLineHeight) body += legend(i, y);
    const double width = kWidth + 2 * kMargin;
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
           attribute("height", y) + " font-family=\"sans-serif\" font-size=\"13\">\n" +
           "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + body + "</svg>\n";
  }

 private:
  std::string title() const {
    return std::to_string(plan_.shape.m) + " x " + std::to_string(plan_.shape.n) +
           " over k = " + std::to_string(plan_.shape.k) + ", pattern " +
           std::string(to_string(plan_.pattern)) + ", units " + std::to_string(plan_.units) + ", " +
           duration_text(plan_.cost_ns) + " predicted";
  }

  // Kernels are coloured in the order of their first region.
  const char* colour(int i) const {
    std::vector<KernelId> seen;
    for (int j = 0; j <= i; ++j) {
      const KernelId id = plan_.regions[j].kernel;
      if (std::find(seen.begin(), seen.end(), id) == seen.end()) seen.push_back(id);
    }
    const auto place = std::find(seen.begin(), seen.end(), plan_.regions[i].kernel) - seen.begin();
    return kColours[static_cast<size_t>(place) % kColours.size()];
  }

  std::string region(int i, double left, double top) const {
    const Region& region = plan_.regions[i];
    const double x = left + static_cast<double>(region.col) * x_scale_;
    const double y = top + static_cast<double>(region.row) * y_scale_;
    const double width = static_cast<double>(region.cols) * x_scale_;
    const double height = static_cast<double>(region.rows) * y_scale_;
    const MicroKernel& kernel = catalog_.kernel(region.kernel);
    std::string text = "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
                       attribute("height", height) + " fill=\"" + colour(i) +
                       "\" stroke=\"black\" stroke-width=\"1.5\"/>\n";
    const double across = ceil_of(static_cast<double>(region.cols) / kernel.un);
    const double down = ceil_of(static_cast<double>(region.rows) / kernel.um);
    text += blocks(x, y, width, height, width / across, height / down);
    const std::string letter(1, region_letter(i));
    return text + text_at(x + width / 2, y + height / 2 + 5, letter, "middle");
  }

  // Outlines of the blocks as one path, left out where they would be too small to tell apart.
  static std::string blocks(double x, double y, double width, double height, double step_x,
                            double step_y) {
    std::string path;
    const auto line = [&path](double x0, double y0, char direction, double to) {
      path += 'M' + fixed(x0, 2) + ' ' + fixed(y0, 2) + direction + fixed(to, 2);
    };
    if (step_x >= kLeastBlock) {
      for (int i = 1; i * step_x < width - 0.01; ++i) line(x + i * step_x, y, 'V', y + height);
    }
    if (step_y >= kLeastBlock) {
      for (int i = 1; i * step_y < height - 0.01; ++i) line(x, y + i * step_y, 'H', x + width);
    }
    if (path.empty()) return path;
    return "<path d=\"" + path + "\" stroke=\"black\" stroke-opacity=\"0.35\" fill=\"none\"/>\n";
  }

  std::string legend(int i, double y) const {
    const Region& region = plan_.regions[i];
    std::string text = "<rect" + attribute("x", kMargin) + attribute("y", y - 11) +
                       " width=\"14\" height=\"14\" fill=\"" + colour(i) +
                       "\" stroke=\"black\"/>\n";
    std::string words = std::string(1, region_letter(i)) + ": " + std::to_string(region.rows) +
                        " x " + std::to_string(region.cols) + ", " +
                        catalog_.kernel(region.kernel).name;
    if (region.k_slices > 1) words += ", K in " + std::to_string(region.k_slices) + " slices";
    return text + text_at(kMargin + 22, y, words);
  }

  const Plan& plan_;
  const Catalog& catalog_;
  const double m_;
  const double n_;
  double x_scale_ = 1;
  double y_scale_ = 1;
};

}  // namespace

std::string to_svg(const Plan& plan, const Catalog& catalog) {
  return Svg(plan, catalog).document();
}

}  // namespace mikpoly
