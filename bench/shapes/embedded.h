// The shape files of this folder, compiled into the program so that it runs from anywhere.
#pragma once

namespace mikpoly::bench {

extern const char* const kDeepbenchGemmCsv;
extern const char* const kLlama213bCsv;
extern const char* const kRealGemmLayersCsv;
extern const char* const kRealGemmBucketsCsv;

}  // namespace mikpoly::bench
