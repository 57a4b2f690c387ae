// Shape files: one problem a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/suites/case.h"
#include "mikpoly/status.h"

namespace mikpoly::bench {

// Splits at commas and trims blanks around each field.
std::vector<std::string_view> split_csv_line(std::string_view line);

// True and *value set where the whole text is a decimal integer.
bool parse_integer(std::string_view text, int64_t* value);

// Rows are `gemm,m,n,k[,batch,trans,dtype]` or
// `conv,n,c,h,w,k,r,s,pad_t,pad_l,pad_b,pad_r,stride_h,stride_w,dil_h,dil_w,groups`; lines that are
// empty or start with '#', and a heading whose first field is `op`, are skipped. Sizes are at least
// 1 and at most 2^40. What can't be measured yet (convolution, batches) comes back with
// Case::unsupported set. invalid_argument names `name`, the line and the fault.
Result<std::vector<Case>> parse_shapes(std::string_view text, const std::string& name,
                                       const std::string& suite);

// The same from a file; invalid_argument where it can't be read.
Result<std::vector<Case>> read_shapes(const std::string& path);

// Whether `trans` is one of NN, NT, TN, TT.
bool is_trans(std::string_view trans);

}  // namespace mikpoly::bench
