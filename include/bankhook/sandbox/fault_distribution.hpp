// SPDX-License-Identifier: MIT
// Which fault an event meets: the shares of Faults as whole numbers, one draw an event.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/sandbox/delivery.hpp>
#include <bankhook/sandbox/options.hpp>
#include <bankhook/sandbox/random.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace bankhook::inline BANKHOOK_ABI::sandbox {

/// The bounds of six intervals in [0, 1), one after the other.
class FaultDistribution {
 public:
  constexpr explicit FaultDistribution(const Faults& faults) {
    double sum = 0;
    std::array<double, kinds> upto{};
    reflect::for_each_field<Faults>([&]<std::size_t I>() {
      static_assert(reflect::field_name<Faults, I> == enumerator_name<FaultKind, I>, "every_fault_has_its_share");
      const double share = reflect::field<I>(faults);
      sum += share > 0 ? std::min(share, 1.0) : 0;
      upto[I] = sum;
      return true;
    });
    for (std::size_t i = 0; i < kinds; ++i) {
      upto_[i] = static_cast<Share>(upto[i] / std::max(sum, 1.0) * static_cast<double>(whole_share));
    }
  }

  [[nodiscard]] constexpr bool none() const { return upto_.back() == 0; }

  [[nodiscard]] constexpr std::optional<FaultKind> draw(Random& random) const {
    const Share drawn = random.share();
    for (std::size_t i = 0; i < kinds; ++i) {
      if (drawn < upto_[i]) return static_cast<FaultKind>(i);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kinds = enumerator_count<FaultKind>;
  static_assert(kinds == reflect::field_count<Faults>);

  std::array<Share, kinds> upto_{};
};

}  // namespace bankhook::inline BANKHOOK_ABI::sandbox
