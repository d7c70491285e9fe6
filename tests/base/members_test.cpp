// SPDX-License-Identifier: MIT
// Reflection: the fields of a plain aggregate, their names and types, and the name of the type, at compile time.
#include <bankhook_catch.hpp>

#include <bankhook/base/members.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace base_members_test {

namespace reflect = bankhook::detail::reflect;

namespace {

struct Empty {};

struct One {
  int only;
};

struct Mixed {
  std::string_view text{};
  int number = 7;
  One inner{};
  std::span<const Mixed> nested{};
};

struct Twenty {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
};

struct TwentyFour {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3;
};

template <class T>
struct Template {
  T value_of_template;
};

class Closed {
 public:
  explicit Closed(int value) : value_(value) {}
  [[nodiscard]] int value() const { return value_; }

 private:
  int value_;
};

}  // namespace

TEST_CASE("only a struct of public fields is an aggregate") {
  STATIC_REQUIRE(reflect::Aggregate<Empty>);
  STATIC_REQUIRE(reflect::Aggregate<Mixed>);
  STATIC_REQUIRE(!reflect::Aggregate<Closed>);
  STATIC_REQUIRE(!reflect::Aggregate<std::string_view>);
  STATIC_REQUIRE(!reflect::Aggregate<std::vector<int>>);
  STATIC_REQUIRE(!reflect::Aggregate<int>);
  CHECK(Closed(1).value() == 1);
}

TEST_CASE("the fields of a struct are counted") {
  STATIC_REQUIRE(reflect::field_count<Empty> == 0);
  STATIC_REQUIRE(reflect::field_count<One> == 1);
  STATIC_REQUIRE(reflect::field_count<Mixed> == 4);
  STATIC_REQUIRE(reflect::field_count<Twenty> == 20);
  STATIC_REQUIRE(reflect::field_count<TwentyFour> == 24);
}

TEST_CASE("the names of fields are those of the source") {
  STATIC_REQUIRE(reflect::field_name<One, 0> == "only");
  STATIC_REQUIRE(reflect::field_name<Mixed, 0> == "text");
  STATIC_REQUIRE(reflect::field_name<Mixed, 3> == "nested");
  STATIC_REQUIRE(reflect::field_name<TwentyFour, 0> == "a0");
  STATIC_REQUIRE(reflect::field_name<TwentyFour, 23> == "c3");
  STATIC_REQUIRE(reflect::field_name<Template<int>, 0> == "value_of_template");
}

TEST_CASE("the types of fields are those of the source") {
  STATIC_REQUIRE(std::is_same_v<reflect::FieldType<Mixed, 0>, std::string_view>);
  STATIC_REQUIRE(std::is_same_v<reflect::FieldType<Mixed, 1>, int>);
  STATIC_REQUIRE(std::is_same_v<reflect::FieldType<Mixed, 2>, One>);
  STATIC_REQUIRE(std::is_same_v<reflect::FieldType<Mixed, 3>, std::span<const Mixed>>);
}

TEST_CASE("the name of a type stands without namespace and template arguments") {
  STATIC_REQUIRE(reflect::type_name<Mixed> == "Mixed");
  STATIC_REQUIRE(reflect::type_name<Template<Mixed>> == "Template");
  STATIC_REQUIRE(reflect::type_name<bankhook::detail::reflect::Place<int>> == "Place");
}

TEST_CASE("a field is reached by its index, to read and to write") {
  Mixed mixed;
  reflect::field<1>(mixed) = 8;
  CHECK(mixed.number == 8);
  const Mixed& constant = mixed;
  STATIC_REQUIRE(std::is_same_v<decltype(reflect::field<1>(constant)), const int&>);
  CHECK(&reflect::field<2>(constant) == &constant.inner);
  TwentyFour many{};
  reflect::field<23>(many) = 24;
  CHECK(many.c3 == 24);
}

#if defined(__cpp_impl_reflection)
TEST_CASE("by the reflection of C++26 a struct may have more than 24 fields") {
  struct TwentySix {
    TwentyFour first;
    int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3, last;
  };
  TwentySix many{};
  reflect::field<25>(many) = 25;
  CHECK(many.last == 25);
  STATIC_REQUIRE(reflect::field_name<TwentySix, 25> == "last");
}
#endif

TEST_CASE("fields are visited in order until one says stop") {
  std::vector<std::size_t> visited;
  const bool all = reflect::for_each_field<Mixed>([&]<std::size_t I>() {
    visited.push_back(I);
    return I != 2;
  });
  CHECK_FALSE(all);
  CHECK(visited == std::vector<std::size_t>{0, 1, 2});
  CHECK(reflect::for_each_field<Empty>([]<std::size_t>() { return false; }));
}

}  // namespace base_members_test
