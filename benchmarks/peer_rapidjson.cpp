// SPDX-License-Identifier: MIT
// RapidJSON: a document parsed in situ and walked in the members' order, and its writer fed from the library's structs.
#include "peer.hpp"
#include "stream_writer.hpp"
#include "tree_reader.hpp"

#include <bankhook/bankhook.hpp>
#include <bankhook/json/codec_object.hpp>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace bankhook::bench { namespace {

/// Numbers are kept as text and read by the library, so that amounts stay exact.
struct RapidjsonTree {
  using Pool = rapidjson::MemoryPoolAllocator<>;
  using Value = rapidjson::GenericValue<rapidjson::UTF8<>, Pool>;
  using Node = const Value*;

  static bool text(Node node, std::string_view& out) {
    if (!node->IsString()) return false;
    out = {node->GetString(), node->GetStringLength()};
    return true;
  }
  static bool integer(Node node, std::uint64_t& out) {
    std::string_view digits;
    return text(node, digits) &&
           detail::text::scan_integer(digits.data(), digits.data() + digits.size(), out).error == Errc::none;
  }
  static bool decimal(Node node, Decimal& out) {
    std::string_view digits;
    return text(node, digits) &&
           detail::text::scan_decimal(digits.data(), digits.data() + digits.size(), out).error == Errc::none;
  }
  static bool is_null(Node node) { return node->IsNull(); }
  static bool is_object(Node node) { return node->IsObject(); }
  static bool is_array(Node node) { return node->IsArray(); }
  static std::size_t size(Node node) { return node->Size(); }
  template <class F>
  static bool for_each(Node node, F&& f) {
    for (const Value& element : node->GetArray()) {
      if (!f(&element)) return false;
    }
    return true;
  }

  using Iterator = Value::ConstMemberIterator;
  using Member = Value::Member;
  static std::string_view key(const Member& member) { return {member.name.GetString(), member.name.GetStringLength()}; }
  static Node value(const Member& member) { return &member.value; }
  struct Members : MembersInARow<Iterator, Node, key, value> {
    explicit Members(Node node) : MembersInARow(node->MemberBegin(), node->MemberEnd()) {}
  };
};

/// In situ is its quickest way for values that keep their texts; it overwrites the payload, which is therefore copied
/// first, into a buffer that is kept (as are its pools).
class RapidjsonReader {
 public:
  explicit RapidjsonReader(const Corpus&) : values_(std::size_t{1} << 20), stack_(std::size_t{1} << 16) {}

  template <class T>
  [[nodiscard]] const T* read(std::string_view event) {
    using Pool = RapidjsonTree::Pool;
    tree_.reset();
    if (text_.size() < event.size() + 1) text_.resize(2 * event.size() + 1);
    std::memcpy(text_.data(), event.data(), event.size());
    text_[event.size()] = '\0';
    Pool values(values_.data(), values_.size());
    Pool stack(stack_.data(), stack_.size());
    rapidjson::GenericDocument<rapidjson::UTF8<>, Pool, Pool> document(&values, stack_.size() / 2, &stack);
    constexpr unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag;
    document.template ParseInsitu<flags>(text_.data());
    T& out = held_.fresh<T>();
    return !document.HasParseError() && tree_.read(&document, out) ? &out : nullptr;
  }

 private:
  TreeReader<RapidjsonTree> tree_;
  std::vector<char> text_;
  std::vector<char> values_;
  std::vector<char> stack_;
  HeldEvents held_;
};

/// Writes events into a buffer that is kept.
class RapidjsonWriter {
 public:
  template <class T>
  [[nodiscard]] std::string_view write(const T& event) {
    buffer_.Clear();
    writer_.Reset(buffer_);
    StreamWriter(*this).put(event);
    return {buffer_.GetString(), buffer_.GetSize()};
  }

  void text(std::string_view text) { writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size())); }
  void integer(std::uint64_t value) { writer_.Uint64(value); }
  void number(std::string_view digits) { writer_.RawValue(digits.data(), digits.size(), rapidjson::kNumberType); }
  void null() { writer_.Null(); }
  void begin_object() { writer_.StartObject(); }
  template <auto Name>
  void name() {
    writer_.Key(Name.view().data(), static_cast<rapidjson::SizeType>(Name.view().size()));
  }
  void end_object() { writer_.EndObject(); }
  void begin_array() { writer_.StartArray(); }
  void next() {}
  void end_array() { writer_.EndArray(); }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
};

const bool enrolled =
    enroll({.name = "RapidJSON",
            .version = BANKHOOK_PEER_VERSION,
            .how = "in situ, the payload copied first, numbers kept as text; its writer into a kept buffer",
            .unchecked = "UTF-8, repeated names",
            .written = "nothing",
            .read = add_reader<RapidjsonReader>,
            .write = add_writer<RapidjsonWriter>});

}}  // namespace bankhook::bench
