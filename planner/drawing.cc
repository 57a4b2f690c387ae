#include "planner/drawing.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace mikpoly {
namespace {

// Where the edges of the regions fall on the canvas, along one dimension.
struct Scale {
  std::vector<int64_t> edges;
  std::vector<int> places;

  int at(int64_t edge) const {
    const auto found = std::lower_bound(edges.begin(), edges.end(), edge);
    return places[static_cast<size_t>(found - edges.begin())];
  }
};

// Edges in proportion, but `gap` characters apart at least.
Scale make_scale(std::vector<int64_t> edges, int characters, int gap) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const size_t count = edges.size();
  const double whole = static_cast<double>(edges.back());
  std::vector<int> places(count, 0);
  for (size_t i = 1; i < count; ++i) {
    const double exact = static_cast<double>(edges[i]) / whole * characters;
    places[i] = std::max(places[i - 1] + gap, static_cast<int>(std::lround(exact)));
  }
  places[count - 1] = characters;
  for (size_t i = count - 1; i-- > 1;) places[i] = std::min(places[i], places[i + 1] - gap);
  return {std::move(edges), std::move(places)};
}

class Canvas {
 public:
  Canvas(int height, int width)
      : rows_(static_cast<size_t>(height) + 1, std::string(static_cast<size_t>(width) + 1, ' ')) {}

  void frame(int top, int left, int bottom, int right) {
    for (int x = left; x <= right; ++x) edge(top, x, '-'), edge(bottom, x, '-');
    for (int y = top; y <= bottom; ++y) edge(y, left, '|'), edge(y, right, '|');
  }
  // Centred between left and right; nothing where it does not fit.
  void label(int y, int left, int right, const std::string& text) {
    const int room = right - left - 1;
    const int length = static_cast<int>(text.size());
    if (length > room) return;
    rows_[y].replace(static_cast<size_t>(left + 1 + (room - length) / 2), text.size(), text);
  }
  std::string text() const {
    std::string all;
    for (const std::string& row : rows_) all += "  " + row + '\n';
    return all;
  }

 private:
  // Lines that cross become a corner.
  void edge(int y, int x, char line) {
    char& cell = rows_[y][x];
    cell = cell == ' ' || cell == line ? line : '+';
  }

  std::vector<std::string> rows_;
};

// Characters for the output: a character is about twice as high as wide.
void canvas_size(const Shape& shape, int* height, int* width) {
  constexpr int kWidth = 60;
  constexpr int kHeight = 16;
  const double ratio = static_cast<double>(shape.m) / static_cast<double>(shape.n);
  *width = kWidth;
  *height = static_cast<int>(std::lround(std::min(kWidth * ratio / 2, 1e3)));
  if (*height > kHeight) {
    *height = kHeight;
    *width = static_cast<int>(std::lround(kHeight * 2 / ratio));
  }
  constexpr int kLeastWidth = 24;  // room for six columns of edges
  constexpr int kLeastHeight = 8;  // and for four rows
  *width = std::clamp(*width, kLeastWidth, kWidth);
  *height = std::clamp(*height, kLeastHeight, kHeight);
}

}  // namespace

std::string fixed(double value, int digits) {
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits);
  return end.ec == std::errc() ? std::string(text, end.ptr) : "?";
}

std::string duration_text(double ns) {
  const auto with_unit = [](double value, const char* unit) {
    return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0) + ' ' + unit;
  };
  if (ns < 1e3) return with_unit(ns, "ns");
  if (ns < 1e6) return with_unit(ns / 1e3, "us");
  if (ns < 1e9) return with_unit(ns / 1e6, "ms");
  return with_unit(ns / 1e9, "s");
}

std::string draw_regions(const Plan& plan) {
  if (plan.region_count <= 0) return "  (empty output)\n";
  const std::span regions(plan.regions.data(), static_cast<size_t>(plan.region_count));
  std::vector<int64_t> row_edges = {0, plan.shape.m};
  std::vector<int64_t> col_edges = {0, plan.shape.n};
  for (const Region& region : regions) {
    row_edges.push_back(region.row);
    col_edges.push_back(region.col);
  }
  int height = 0;
  int width = 0;
  canvas_size(plan.shape, &height, &width);
  const Scale rows = make_scale(row_edges, height, 2);
  const Scale cols = make_scale(col_edges, width, 4);
  Canvas canvas(height, width);
  for (int i = 0; i < plan.region_count; ++i) {
    const Region& region = regions[i];
    const int top = rows.at(region.row);
    const int left = cols.at(region.col);
    const int bottom = rows.at(region.row + region.rows);
    const int right = cols.at(region.col + region.cols);
    canvas.frame(top, left, bottom, right);
    const std::string letter(1, region_letter(i));
    const std::string size = std::to_string(region.rows) + 'x' + std::to_string(region.cols);
    const int middle = (top + bottom) / 2;
    canvas.label(middle, left, right, letter);
    if (bottom - top >= 4) {
      canvas.label(middle + 1, left, right, size);
    } else {
      canvas.label(middle, left, right, letter + "  " + size);
    }
  }
  return canvas.text();
}

std::string align_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      line += ' ' + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace mikpoly
