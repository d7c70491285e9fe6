// SPDX-License-Identifier: MIT
// The sandbox and diagnose together: a clean stream has no finding, and each promised rule is among the findings.
#include <bankhook_catch.hpp>

#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/sandbox/sandbox.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace bankhook;

TEST_CASE("diagnose finds nothing in a history without faults") {
  Sandbox box(1);
  for (const Delivery& delivery : box.deliveries(5'000)) REQUIRE(diagnose(delivery.payload).empty());
}

TEST_CASE("diagnose finds every rule that a label promises to be broken in the payload") {
  Sandbox box(1, {.faults = {.truncate = .3, .mutate = .5, .future = .2}});
  std::map<std::string, int, std::less<>> missed;
  for (const Delivery& delivery : box.deliveries(20'000)) {
    const bool of_this_payload = delivery.fault && delivery.fault->number == delivery.number;
    if (!of_this_payload || delivery.fault->detectable.detected_by != DetectedBy::rule) continue;
    const std::string promised(to_string(delivery.fault->detectable));
    const std::vector<Finding> findings = diagnose(delivery.payload);
    const bool found = std::ranges::any_of(
        findings, [&](const Finding& finding) { return delivery.fault->detectable.is_told_by(finding.rule); });
    if (!found) {
      UNSCOPED_INFO(delivery.fault->what << " at " << delivery.fault->offset << " of " << delivery.payload);
      for (const Finding& finding : findings)
        UNSCOPED_INFO(to_string(finding.rule) << " " << finding.path << " " << finding.found);
      ++missed[promised + ", " + std::string(delivery.fault->what)];
    }
  }
  for (const auto& [what, count] : missed) {
    CAPTURE(what);
    CHECK(count == 0);
  }
}
