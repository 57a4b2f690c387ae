#include "bench/suites/csv.h"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "mikpoly/dtype.h"

namespace mikpoly::bench {
namespace {

constexpr int64_t kMaxSize = int64_t{1} << 40;
constexpr std::size_t kConvFields = 17;
constexpr std::size_t kGemmSizes = 3;  // m, n, k after the operation
// Fields of a conv row, from the first, that may be zero (the paddings).
constexpr std::size_t kFirstPadding = 8;
constexpr std::size_t kLastPadding = 11;

using Fields = std::vector<std::string_view>;

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Empty, or what is wrong with the field.
std::string read_size(std::string_view text, const char* what, int64_t least, int64_t* value) {
  if (parse_integer(text, value) && *value >= least && *value <= kMaxSize) return {};
  return std::string(what) + " is \"" + std::string(text) + "\"; it must be an integer from " +
         std::to_string(least) + " to 2^40";
}

std::string read_gemm(const Fields& fields, Case* out) {
  if (fields.size() < 1 + kGemmSizes || fields.size() > 7) {
    return "a gemm row has 4 to 7 fields (gemm,m,n,k[,batch,trans,dtype]), this one has " +
           std::to_string(fields.size());
  }
  const char* names[] = {"m", "n", "k", "batch"};
  int64_t* values[] = {&out->m, &out->n, &out->k, &out->batch};
  for (std::size_t i = 0; i < 4 && i + 1 < fields.size(); ++i) {
    std::string fault = read_size(fields[i + 1], names[i], 1, values[i]);
    if (!fault.empty()) return fault;
  }
  if (fields.size() > 5) {
    out->trans = fields[5];
    if (!is_trans(out->trans))
      return "trans is \"" + out->trans + "\"; it must be NN, NT, TN or TT";
  }
  if (fields.size() > 6) {
    out->dtype = fields[6];
    DType type = DType::kF32;
    if (!parse_dtype(out->dtype.c_str(), &type)) return "unknown dtype \"" + out->dtype + "\"";
  }
  if (out->batch != 1) out->unsupported = "batched gemm is not served yet";
  return {};
}

std::string read_conv(const Fields& fields, Case* out) {
  if (fields.size() != kConvFields) {
    return "a conv row has 17 fields (conv,n,c,h,w,k,r,s,pad_t,pad_l,pad_b,pad_r,stride_h,stride_w,"
           "dil_h,dil_w,groups), this one has " +
           std::to_string(fields.size());
  }
  for (std::size_t i = 1; i < kConvFields; ++i) {
    const int64_t least = i >= kFirstPadding && i <= kLastPadding ? 0 : 1;
    int64_t value = 0;
    const std::string what = "field " + std::to_string(i + 1);
    std::string fault = read_size(fields[i], what.c_str(), least, &value);
    if (!fault.empty()) return fault;
  }
  out->unsupported = "convolution is not served yet";
  return {};
}

}  // namespace

std::vector<std::string_view> split_csv_line(std::string_view line) {
  Fields fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

bool parse_integer(std::string_view text, int64_t* value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, *value);
  return !text.empty() && result.ec == std::errc() && result.ptr == end;
}

bool is_trans(std::string_view trans) {
  return trans == "NN" || trans == "NT" || trans == "TN" || trans == "TT";
}

Result<std::vector<Case>> parse_shapes(std::string_view text, const std::string& name,
                                       const std::string& suite) {
  std::vector<Case> cases;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = trim(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty() || line.front() == '#') continue;
    const Fields fields = split_csv_line(line);
    if (fields[0] == "op") continue;
    Case row;
    row.suite = suite;
    row.op = fields[0];
    row.source = name + ":" + std::to_string(line_number);
    std::string fault = "unknown operation \"" + row.op + "\"; it must be gemm or conv";
    if (row.op == "gemm") fault = read_gemm(fields, &row);
    if (row.op == "conv") fault = read_conv(fields, &row);
    if (!fault.empty()) return Status(StatusCode::kInvalidArgument, row.source + ": " + fault);
    cases.push_back(std::move(row));
  }
  if (cases.empty()) return Status(StatusCode::kInvalidArgument, name + ": no shapes in it");
  return cases;
}

Result<std::vector<Case>> read_shapes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    return Status(StatusCode::kInvalidArgument, path + ": can't be read");
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_shapes(text, path, std::filesystem::path(path).stem().string());
}

}  // namespace mikpoly::bench
