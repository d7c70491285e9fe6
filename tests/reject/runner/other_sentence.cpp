// SPDX-License-Identifier: MIT
// Wrong on purpose: refused with another sentence than the expected one, with and without CONTROL.
// expect: a sentence that no compiler says
static_assert(sizeof(int) == 0, "an int takes room");
int main() {}
