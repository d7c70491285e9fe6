// SPDX-License-Identifier: MIT
// The names of a user who takes all of ours beside those of the standard library: nothing internal meets them.
#pragma once

namespace user {

struct Value {
  int number = 0;
};

}  // namespace user

using json = user::Value;
using base = user::Value;
using simd = user::Value;
using reflect = user::Value;
using tracking = user::Value;
using sandbox = user::Value;
using columns = user::Value;
namespace text = user;

using namespace std;
using namespace bankhook;

json one(const base& a, const simd& b, const reflect& c, const tracking& d, const sandbox& e, const columns& f);
text::Value two();
