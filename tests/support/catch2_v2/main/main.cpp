// SPDX-License-Identifier: MIT
// The main function of the tests, where Catch2 is of version 2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
