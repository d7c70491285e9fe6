// SPDX-License-Identifier: MIT
// A second, slow reader of JSON, written without a look at the library's: what both say is compared.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::test {

struct JsonMember;

/// Any JSON value. `text` holds a decoded string, or a number or word as written.
struct Json {
  enum class Kind : std::uint8_t { word, number, string, array, object };
  Kind kind = Kind::word;
  std::string text = "null";
  std::vector<Json> items;
  std::vector<JsonMember> fields;

  Json();
  explicit Json(Kind its_kind, std::string its_text = "");
  Json(const Json&);
  Json& operator=(const Json&);
  ~Json();

  [[nodiscard]] bool is_null() const { return kind == Kind::word && text == "null"; }
};

struct JsonMember {
  std::string name;
  Json value;
};

// Here, where a field is a complete type.
inline Json::Json() = default;
inline Json::Json(Kind its_kind, std::string its_text) : kind(its_kind), text(std::move(its_text)) {}
inline Json::Json(const Json&) = default;
inline Json& Json::operator=(const Json&) = default;
inline Json::~Json() = default;

/// Reads by the grammar of RFC 8259, one character after the other.
class Oracle {
 public:
  explicit Oracle(std::string_view text) : rest_(text) {}

  std::optional<Json> whole() {
    Json value;
    space();
    if (!read(value, 0)) return std::nullopt;
    space();
    return rest_.empty() ? std::optional(value) : std::nullopt;
  }

 private:
  static constexpr int deepest = 1100;

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void space() {
    while (take(" ") || take("\t") || take("\n") || take("\r")) continue;
  }

  bool read(Json& out, int depth) {
    if (depth > deepest) return false;
    if (take("{")) return object(out, depth);
    if (take("[")) return array(out, depth);
    if (take("\"")) {
      out.kind = Json::Kind::string;
      out.text.clear();
      return string(out.text);
    }
    for (const char* word : {"true", "false", "null"}) {
      if (take(word)) return out.text = word, true;
    }
    return number(out);
  }

  bool object(Json& out, int depth) {
    out = Json(Json::Kind::object);
    space();
    if (take("}")) return true;
    do {
      auto& [name, value] = out.fields.emplace_back();
      space();
      if (!take("\"") || !string(name)) return false;
      space();
      if (!take(":")) return false;
      space();
      if (!read(value, depth + 1)) return false;
      space();
    } while (take(","));
    return take("}");
  }

  bool array(Json& out, int depth) {
    out = Json(Json::Kind::array);
    space();
    if (take("]")) return true;
    do {
      space();
      if (!read(out.items.emplace_back(), depth + 1)) return false;
      space();
    } while (take(","));
    return take("]");
  }

  bool digits(std::string& out) {
    const std::size_t before = out.size();
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      out += rest_[0];
      rest_.remove_prefix(1);
    }
    return out.size() > before;
  }

  bool number(Json& out) {
    out.kind = Json::Kind::number;
    out.text.clear();
    if (take("-")) out.text = "-";
    if (take("0")) out.text += "0";
    else if (!digits(out.text)) return false;
    if (take(".")) {
      out.text += ".";
      if (!digits(out.text)) return false;
    }
    if (!take("e") && !take("E")) return true;
    out.text += "e";
    if (take("-")) out.text += "-";
    else take("+");
    return digits(out.text);
  }

  bool string(std::string& out) {
    while (!rest_.empty() && rest_[0] != '"') {
      if (static_cast<unsigned char>(rest_[0]) < 0x20) return false;
      if (take("\\") ? !escape(out) : !character(out)) return false;
    }
    return take("\"");
  }

  bool escape(std::string& out) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return false;
    if (const auto at = letters.find(rest_[0]); at != std::string_view::npos) {
      out += meanings[at];
      rest_.remove_prefix(1);
      return true;
    }
    long unit = 0;
    if (!code_unit(unit)) return false;
    if (unit >= 0xD800 && unit < 0xE000) {
      long low = 0;
      if (unit >= 0xDC00 || !take("\\") || !code_unit(low) || low < 0xDC00 || low >= 0xE000) return false;
      unit = 0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00);
    }
    append(unit, out);
    return true;
  }

  bool code_unit(long& out) {
    if (!take("u") || rest_.size() < 4) return false;
    const std::string hex(rest_.substr(0, 4));
    if (hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return false;
    out = std::strtol(hex.c_str(), nullptr, 16);
    rest_.remove_prefix(4);
    return true;
  }

  /// One code point: decoded, encoded again, and right if that gives the same bytes.
  bool character(std::string& out) {
    const auto lead = static_cast<unsigned char>(rest_[0]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (rest_.size() < size) return false;
    long code_point = size == 1 ? lead : lead & (0x7F >> size);
    for (std::size_t i = 1; i < size; ++i) code_point = code_point * 64 + (static_cast<unsigned char>(rest_[i]) & 0x3F);
    std::string again;
    append(code_point, again);
    if (again != rest_.substr(0, size) || (code_point >= 0xD800 && code_point < 0xE000) || code_point > 0x10FFFF)
      return false;
    out += again;
    rest_.remove_prefix(size);
    return true;
  }

  static void append(long code_point, std::string& out) {
    const auto put = [&](long byte) { out += static_cast<char>(byte); };
    if (code_point < 0x80) return put(code_point);
    if (code_point < 0x800) return put(0xC0 + code_point / 64), put(0x80 + code_point % 64);
    if (code_point < 0x10000) put(0xE0 + code_point / 4096);
    else put(0xF0 + code_point / 262144), put(0x80 + code_point / 4096 % 64);
    put(0x80 + code_point / 64 % 64), put(0x80 + code_point % 64);
  }

  std::string_view rest_;
};

/// The value that `text` holds, or nothing if it is not JSON.
[[nodiscard]] inline std::optional<Json> read_json(std::string_view text) { return Oracle(text).whole(); }

/// `value` as JSON text: minified, nothing escaped that need not be.
[[nodiscard]] inline std::string write_json(const Json& value) {
  const auto quoted = [](std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    constexpr std::string_view short_ones = "\bb\tt\nn\ff\rr";
    std::string out = "\"";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') out += '\\', out += c;
      else if (const auto at = short_ones.find(c); byte < 0x20 && at != short_ones.npos)
        out += '\\', out += short_ones[at + 1];
      else if (byte < 0x20) out += "\\u00", out += hex[byte / 16], out += hex[byte % 16];
      else out += c;
    }
    return out + '"';
  };
  std::string out;
  if (value.kind == Json::Kind::string) return quoted(value.text);
  if (value.kind == Json::Kind::array) {
    for (const Json& item : value.items) out += (out.empty() ? "[" : ",") + write_json(item);
    return out.empty() ? "[]" : out + "]";
  }
  if (value.kind != Json::Kind::object) return value.text;
  for (const auto& [name, field] : value.fields) {
    out += (out.empty() ? "{" : ",") + quoted(name) + ":" + write_json(field);
  }
  return out.empty() ? "{}" : out + "}";
}

}  // namespace bankhook::test
