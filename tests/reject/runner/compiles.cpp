// SPDX-License-Identifier: MIT
// Wrong on purpose: compiles with and without CONTROL, so the runner must complain.
// expect: any sentence
int main() {}
