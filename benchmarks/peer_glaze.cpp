// SPDX-License-Identifier: MIT
// glaze: its strict mode into views, and its writer, on structs of its own, made outside of what is measured.
#include "glaze_structs.hpp"
#include "peer.hpp"

#include <bankhook/bankhook.hpp>

#include <glaze/glaze.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bankhook::bench { namespace {

using glaze::Mirror;

/// Every member that is no optional one is required, no other is allowed; nothing is copied, not even for a zero at the
/// end.
struct Strict : glz::opts {
  bool validate_utf8 = true;
  bool validate_trailing_whitespace = true;
  constexpr Strict() {
    null_terminated = false;
    error_on_missing_keys = true;
  }
};

constexpr Strict minified(bool utf8, bool unlisted = false) {
  Strict options;
  options.minified = true;
  options.validate_utf8 = utf8;
  options.error_on_unknown_keys = !unlisted;
  return options;
}

/// The same text, where the library's view shows escapes as they are written.
bool same(std::string_view expected, std::string_view raw, Arena& arena) {
  if (raw.find('\\') == std::string_view::npos) return expected == raw;
  const std::string quoted = '"' + std::string(raw) + '"';
  const auto text = parse_as<std::string_view>(quoted, arena);
  return text && *text == expected;
}
bool same(std::uint64_t expected, std::uint64_t read, Arena&) { return expected == read; }
bool same(const glz::raw_json_view& expected, const glz::raw_json_view& read, Arena&) { return expected.str == read.str; }
bool same(const glaze::OptionalText& expected, const glaze::OptionalText& read, Arena& arena) {
  return expected.has_value() == read.has_value() && (!expected || same(*expected, *read, arena));
}
template <class T>
bool same(const glaze::Elements<T>& expected, const glaze::Elements<T>& read, Arena& arena);
template <detail::reflect::Aggregate T>
bool same(const T& expected, const T& read, Arena& arena) {
  return detail::reflect::for_each_field<T>(
      [&]<std::size_t I>() { return same(detail::reflect::field<I>(expected), detail::reflect::field<I>(read), arena); });
}
template <class T>
bool same(const glaze::Elements<T>& expected, const glaze::Elements<T>& read, Arena& arena) {
  bool fine = expected.size() == read.size();
  for (std::size_t i = 0; fine && i < read.size(); ++i) fine = same(expected[i], read[i], arena);
  return fine;
}

template <bool Utf8>
class GlazeReader {
 public:
  explicit GlazeReader(const Corpus& corpus) : form_(corpus.form) {}

  template <class T>
  [[nodiscard]] const Mirror<T>* read(std::string_view event) {
    glaze::arrays = &arena_;
    arena_.reset();
    auto& out = held_.template fresh<Mirror<T>>();
    const auto error = form_ == Form::unlisted                            ? glz::read<minified(Utf8, true)>(out, event)
                       : form_ == Form::blanks || form_ == Form::indented ? glz::read<Strict{}>(out, event)
                                                                          : glz::read<minified(Utf8)>(out, event);
    return error ? nullptr : &out;
  }

  template <class T>
  [[nodiscard]] bool agrees(const T& expected, const Mirror<T>& read, Arena& arena) const {
    return same(glaze::mirror_of(expected, arena), read, arena);
  }

 private:
  Form form_;
  Arena arena_;
  Held<glaze::BankConnectionsUpdateV2, glaze::InitialTransactionUpdate> held_;
};

class GlazeWriter {
 public:
  template <class T>
  [[nodiscard]] static Mirror<T> prepare(const T& event, Arena& arena) {
    return glaze::mirror_of(event, arena);
  }

  /// Of the mode's two answers to what is not there, null for all is the one that keeps the required nulls.
  template <class Event>
  [[nodiscard]] std::string_view write(const Event& event) {
    constexpr glz::opts options{.skip_null_members = false};
    return glz::write<options>(event, text_) ? std::string_view() : std::string_view(text_);
  }

 private:
  std::string text_;
};

void read(const std::string& name, const Corpus& corpus) {
  add_reader<GlazeReader<true>>(name, corpus);
  if (corpus.form != Form::blanks && corpus.form != Form::indented)
    add_reader<GlazeReader<false>>(name + ", UTF-8 not checked", corpus);
}

const bool enrolled = enroll({.name = "glaze",
                              .version = BANKHOOK_PEER_VERSION,
                              .how = "strict (unknown and missing members are errors), minified input, texts, dates and "
                                     "amounts as views: not even looked at",
                              .unchecked = "escapes, dates, amounts, enumerations, repeated names",
                              .written = "null for what is absent",
                              .read = read,
                              .write = add_writer<GlazeWriter>});

}}  // namespace bankhook::bench
