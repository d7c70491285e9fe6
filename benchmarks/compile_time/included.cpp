// SPDX-License-Identifier: MIT
// nlohmann/json, included only.
#include <nlohmann/json.hpp>
