// Copies of operand blocks into the order and type the tiles read: straight, transposing, or
// strided. All work in units, a unit being the group of elements along K that a lane multiplies: V
// is the leaf of the tiles, U the floating-point leaf whose vectors hold as many units.
#pragma once

#include <cstring>
#include <type_traits>

#include "kernels/cpu/convert-inl.h"
#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {
namespace {

inline int at_most(int64_t x, int limit) { return x < limit ? static_cast<int>(x) : limit; }

constexpr int64_t kRowsAhead = 16;   // how far on a straight copy fetches its source
constexpr int64_t kStepsAhead = 64;  // and a transposing one

template <class V, class U, class From>
class Copier {
  static_assert(V::kLanes == U::kLanes &&
                V::kGroup * sizeof(typename V::In) == sizeof(typename U::In));
  using In = typename V::In;
  using Unit = typename U::In;
  using Bits = std::conditional_t<sizeof(Unit) == 8, uint64_t, uint32_t>;
  static constexpr int kLanes = V::kLanes;
  static constexpr int kGroup = V::kGroup;
  static constexpr bool kSame = std::is_same_v<In, From>;

 public:
  explicit Copier(const CopyArgs& args) : t_(args), src_(static_cast<const From*>(args.src)) {}

  void run() const {
    if (t_.col == 1) {
      rows();
    } else if (t_.row == 1) {
      transposed();
    } else {
      strided();
    }
  }

 private:
  Unit* dst(int64_t group, int64_t col) const {
    return reinterpret_cast<Unit*>(static_cast<In*>(t_.dst) + group * t_.dst_row) + col;
  }

  static void store(Unit* p, typename U::Vec v, int count) {
    if (count == kLanes) {
      U::store(p, v);
    } else {
      U::store(p, v, U::first(count));
    }
  }

  // Rows of the source are contiguous.
  void rows() const {
    for (int64_t r = 0; r < t_.rows; r += kGroup) {
      const From* s = src_ + r * t_.row;
      const int count = at_most(t_.rows - r, kGroup);
      for (int64_t c = 0; c < t_.padded_cols; c += kLanes) {
        const int valid = c < t_.cols ? at_most(t_.cols - c, kLanes) : 0;
        __builtin_prefetch(s + c + kRowsAhead * t_.row, 0, 2);
        store(dst(r / kGroup, c), side_by_side(s + c, count, valid),
              at_most(t_.padded_cols - c, kLanes));
      }
    }
  }

  // `valid` units, each of the elements of `count` rows one below the other.
  typename U::Vec side_by_side(const From* s, int count, int valid) const {
    if constexpr (kSame && kGroup == 1) {
      return valid == kLanes ? U::load(s) : U::load(s, U::first(valid));
    } else {
      alignas(64) Bits units[kLanes] = {};
      for (int j = 0; j < count; ++j) {
        if (valid == kLanes) {  // a loop of known length becomes vector code
          for (int i = 0; i < kLanes; ++i) units[i] |= bits(s[j * t_.row + i], j);
        } else {
          for (int i = 0; i < valid; ++i) units[i] |= bits(s[j * t_.row + i], j);
        }
      }
      return as_vector(units);
    }
  }

  // Element j of a unit, in its place (little-endian, as every processor served here).
  static Bits bits(From x, int j) {
    const In value = Convert<In, From>::of(x);
    using Raw = std::conditional_t<
        sizeof(In) == 8, uint64_t,
        std::conditional_t<sizeof(In) == 4, uint32_t,
                           std::conditional_t<sizeof(In) == 2, uint16_t, uint8_t>>>;
    const Bits raw = std::bit_cast<Raw>(value);
    return raw << (8 * static_cast<int>(sizeof(In)) * j % (8 * static_cast<int>(sizeof(Unit))));
  }

  static typename U::Vec as_vector(const Bits (&units)[kLanes]) {
    Unit values[kLanes];
    std::memcpy(values, units, sizeof values);
    return U::load(values);
  }

  // Columns of the source are contiguous.
  void transposed() const {
    for (int64_t c = 0; c < t_.padded_cols; c += kLanes) {
      const int valid = c < t_.cols ? at_most(t_.cols - c, kLanes) : 0;
      const int stored = at_most(t_.padded_cols - c, kLanes);
      for (int64_t r = 0; r < t_.rows; r += kLanes * kGroup) {
        const From* s = src_ + c * t_.col + r;
        const int depth = at_most(t_.rows - r, kLanes * kGroup);
        typename U::Vec block[kLanes];
        for (int i = 0; i < kLanes; ++i) {
          __builtin_prefetch(s + i * t_.col + kStepsAhead, 0, 2);
          block[i] = i < valid ? run(s + i * t_.col, depth) : U::zero();
        }
        U::transpose(block);
        for (int i = 0; i * kGroup < depth; ++i) store(dst(r / kGroup + i, c), block[i], stored);
      }
    }
  }

  // Up to a vector of elements along K, the rest zeros.
  static typename U::Vec run(const From* s, int count) {
    if constexpr (kSame && kGroup == 1) {
      return count == kLanes ? U::load(s) : U::load(s, U::first(count));
    } else {
      alignas(64) In values[kLanes * kGroup] = {};
      if (count == kLanes * kGroup) {
        for (int i = 0; i < kLanes * kGroup; ++i) values[i] = Convert<In, From>::of(s[i]);
      } else {
        for (int i = 0; i < count; ++i) values[i] = Convert<In, From>::of(s[i]);
      }
      Unit units[kLanes];
      std::memcpy(units, values, sizeof units);
      return U::load(units);
    }
  }

  void strided() const {
    for (int64_t r = 0; r < t_.rows; r += kGroup) {
      In* d = static_cast<In*>(t_.dst) + r / kGroup * t_.dst_row;
      for (int64_t c = 0; c < t_.padded_cols; ++c) {
        for (int j = 0; j < kGroup; ++j) {
          const bool inside = c < t_.cols && r + j < t_.rows;
          d[c * kGroup + j] =
              inside ? Convert<In, From>::of(src_[(r + j) * t_.row + c * t_.col]) : In{};
        }
      }
    }
  }

  const CopyArgs& t_;
  const From* const src_;
};

template <class V, class U, class From>
void copy(const CopyArgs& args) {
  Copier<V, U, From>(args).run();
}

}  // namespace
}  // namespace mikpoly::cpu
