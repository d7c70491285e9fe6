// SPDX-License-Identifier: MIT
// An oracle: which token a byte of a payload belongs to, by walking the structs that the payload was written from.
#pragma once

#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace bankhook::test {

/// The kind of token that a byte belongs to. Quotes are punctuation.
enum class Token : std::uint8_t { punctuation, name, text, number, null };

/// What the text of a value is.
enum class TextKind : std::uint8_t { free, event_name, listed_value, date, local_timestamp, timestamp };

struct TokenAt {
  Token token = Token::punctuation;
  TextKind kind = TextKind::free;   ///< of a text
  std::optional<RuleId> absence{};  ///< for a name: the rule broken if the field is missing, unless it may be absent
  bool is_connection_id = false;    ///< of a text: the id of a connection
  bool in_escape = false;           ///< of a name or text: the byte is part of an escape
  std::size_t begin = 0;            ///< of the token, without quotes
  std::size_t end = 0;
};

}  // namespace bankhook::test

namespace bankhook::test::detail {

template <class T>
struct Inside {
  using type = T;
};
template <class T>
  requires(bankhook::detail::base::is_nullable<T> || bankhook::detail::base::is_maybe_absent<T>)
struct Inside<T> {
  using type = Inside<typename T::value_type>::type;
};

template <class T>
inline constexpr TextKind text_kind = std::same_as<T, LocalTimestamp>                 ? TextKind::local_timestamp
                                      : std::same_as<T, Timestamp>                    ? TextKind::timestamp
                                      : std::same_as<T, std::chrono::year_month_day>  ? TextKind::date
                                      : bankhook::detail::reflect::OpenEnumeration<T> ? TextKind::listed_value
                                      : bankhook::detail::reflect::Tag<T>             ? TextKind::event_name
                                                                                      : TextKind::free;

/// Walks the tokens of a minified payload, member by member as the structs list them, up to the one at `target`.
class Walk {
 public:
  Walk(std::string_view json, std::size_t target) : json_(json), target_(target) {}

  /// True where the byte was met: `token()` says what it is.
  template <class T>
  bool value() {
    using Value = Inside<T>::type;
    if (json_[at_] == 'n') return word(4, Token::null);
    if constexpr (bankhook::detail::reflect::Array<Value>) return array<typename Value::value_type>();
    else if constexpr (std::same_as<Value, Decimal> || std::unsigned_integral<Value>) return number();
    else if constexpr (bankhook::detail::reflect::Aggregate<Value> && !bankhook::detail::reflect::Tag<Value>)
      return object<Value>();
    else return text(Token::text, text_kind<Value>);
  }

  [[nodiscard]] const TokenAt& token() const { return token_; }

 private:
  template <class T>
  bool object() {
    do {
      if (punctuation()) return true;  // `{` or `,`
      const std::size_t name = at_ + 1;
      if (text(Token::name, TextKind::free)) return require<T>();
      const std::string_view known = json_.substr(name, at_ - 1 - name);
      if (punctuation()) return true;  // `:`
      if (member<T>(known)) return true;
    } while (json_[at_] == ',');
    return punctuation();
  }

  /// The value of the member of this name.
  template <class T>
  bool member(std::string_view name) {
    bool met = false;
    bankhook::detail::reflect::for_each_field<T>([&]<std::size_t I>() {
      if (name != bankhook::detail::reflect::wire_name<T, I>.view()) return true;
      met = value<bankhook::detail::reflect::FieldType<T, I>>();
      if constexpr (std::same_as<T, Connection>)
        token_.is_connection_id =
            token_.is_connection_id || (met && token_.token == Token::text &&
                                        name == bankhook::detail::reflect::name_of_field<&Connection::id>.view());
      return false;
    });
    return met;
  }

  /// The target is a name: whether its field may be left out.
  template <class T>
  bool require() {
    const std::string_view name = json_.substr(token_.begin, token_.end - token_.begin);
    bankhook::detail::reflect::for_each_field<T>([&]<std::size_t I>() {
      if (name != bankhook::detail::reflect::wire_name<T, I>.view()) return true;
      if constexpr (!bankhook::detail::base::is_maybe_absent<bankhook::detail::reflect::FieldType<T, I>>)
        token_.absence = bankhook::detail::absence_rule(T::section);
      return false;
    });
    return true;
  }

  template <class T>
  bool array() {
    if (json_[at_ + 1] == ']') return punctuation() || punctuation();
    do {
      if (punctuation() || value<T>()) return true;
    } while (json_[at_] == ',');
    return punctuation();
  }

  bool text(Token token, TextKind kind) {
    if (punctuation()) return true;
    const std::size_t begin = at_;
    bool in_escape = false;
    while (json_[at_] != '"') {
      const std::size_t size = json_[at_] != '\\' ? 1 : json_[at_ + 1] == 'u' ? 6 : 2;
      in_escape = in_escape || (size > 1 && target_ - at_ < size);
      at_ += size;
    }
    if (target_ - begin < at_ - begin) {
      token_ = {.token = token, .kind = kind, .in_escape = in_escape, .begin = begin, .end = at_};
      return true;
    }
    return punctuation();
  }

  bool number() {
    std::size_t size = 1;
    while (json_[at_ + size] != ',' && json_[at_ + size] != '}') ++size;
    return word(size, Token::number);
  }

  bool punctuation() { return word(1, Token::punctuation); }

  bool word(std::size_t size, Token token) {
    const std::size_t begin = at_;
    at_ += size;
    if (target_ >= at_) return false;
    token_ = {.token = token, .begin = begin, .end = at_};
    return true;
  }

  std::string_view json_;
  std::size_t target_;
  std::size_t at_ = 0;
  TokenAt token_;
};

}  // namespace bankhook::test::detail

namespace bankhook::test {

/// What stands at the byte `offset`, inside `json`, which `serialize` wrote from a `T`.
template <class T>
[[nodiscard]] TokenAt token_at(std::string_view json, std::size_t offset) {
  detail::Walk walk(json, offset);
  walk.value<T>();
  return walk.token();
}

}  // namespace bankhook::test
