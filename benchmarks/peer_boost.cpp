// SPDX-License-Identifier: MIT
// Boost.JSON: a value in memory that is used again, walked in the members' order, and one made of the library's structs.
#include "peer.hpp"
#include "tree_reader.hpp"
#include "tree_writer.hpp"

#include <bankhook/bankhook.hpp>

#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench { namespace {

namespace bj = boost::json;

struct BoostTree {
  using Node = const bj::value*;

  static bool text(Node node, std::string_view& out) {
    const bj::string* const text = node->if_string();
    if (text == nullptr) return false;
    out = {text->data(), text->size()};
    return true;
  }
  static bool integer(Node node, std::uint64_t& out) {
    const std::int64_t* const value = node->if_int64();
    if (value == nullptr || *value < 0) return false;
    out = static_cast<std::uint64_t>(*value);
    return true;
  }
  static bool decimal(Node node, Decimal& out) {
    if (const double* const value = node->if_double()) return read_decimal(*value, out);
    const std::int64_t* const value = node->if_int64();
    if (value != nullptr) out = Decimal(*value);
    return value != nullptr;
  }
  static bool is_null(Node node) { return node->is_null(); }
  static bool is_object(Node node) { return node->is_object(); }
  static bool is_array(Node node) { return node->is_array(); }
  static std::size_t size(Node node) { return node->get_array().size(); }
  template <class F>
  static bool for_each(Node node, F&& f) {
    for (const bj::value& element : node->get_array()) {
      if (!f(&element)) return false;
    }
    return true;
  }

  static std::string_view key(const bj::key_value_pair& member) { return {member.key().data(), member.key().size()}; }
  static Node value(const bj::key_value_pair& member) { return &member.value(); }
  struct Members : MembersInARow<bj::object::const_iterator, Node, key, value> {
    explicit Members(Node node) : MembersInARow(node->get_object().begin(), node->get_object().end()) {}
  };
};

/// The quickest memory that the library offers: handed out in order from a buffer that is kept.
class BoostReader {
 public:
  explicit BoostReader(const Corpus&) {}

  template <class T>
  [[nodiscard]] const T* read(std::string_view event) {
    tree_.reset();
    document_.reset();
    memory_.release();
    parser_.reset(&memory_);
    boost::system::error_code error;
    parser_.write(event.data(), event.size(), error);
    if (error) return nullptr;
    document_.emplace(parser_.release());
    T& out = held_.fresh<T>();
    return tree_.read(&*document_, out) ? &out : nullptr;
  }

 private:
  std::vector<unsigned char> buffer_ = std::vector<unsigned char>(std::size_t{1} << 20);
  bj::monotonic_resource memory_{buffer_.data(), buffer_.size()};
  bj::parser parser_;
  std::optional<bj::value> document_;  ///< holds the texts of the last event
  TreeReader<BoostTree> tree_;
  HeldEvents held_;
};

struct BoostMaker {
  using Node = bj::value;

  bj::storage_ptr memory;

  bj::value text(std::string_view text) const { return bj::value(bj::string_view(text.data(), text.size()), memory); }
  bj::value integer(std::uint64_t value) const { return bj::value(value, memory); }
  bj::value decimal(const Decimal& value) const { return bj::value(value.to_double(), memory); }
  bj::value null() const { return bj::value(nullptr, memory); }
  bj::value object(std::size_t size) const {
    bj::object made(memory);
    made.reserve(size);
    return made;
  }
  bj::value array(std::size_t size) const {
    bj::array made(memory);
    made.reserve(size);
    return made;
  }
  static void add(bj::value& object, std::string_view name, bj::value&& node) {
    object.get_object().emplace(bj::string_view(name.data(), name.size()), std::move(node));
  }
  static void append(bj::value& array, bj::value&& node) { array.get_array().push_back(std::move(node)); }
};

class BoostWriter {
 public:
  template <class T>
  [[nodiscard]] std::string_view write(const T& event) {
    memory_.release();
    BoostMaker maker{&memory_};
    const bj::value document = TreeWriter(maker).make(event);
    serializer_.reset(&document);
    text_.clear();
    while (!serializer_.done()) {
      const bj::string_view piece = serializer_.read(piece_.data(), piece_.size());
      text_.append(piece.data(), piece.size());
    }
    return text_;
  }

 private:
  std::vector<unsigned char> buffer_ = std::vector<unsigned char>(std::size_t{1} << 20);
  bj::monotonic_resource memory_{buffer_.data(), buffer_.size()};
  bj::serializer serializer_;
  std::vector<char> piece_ = std::vector<char>(std::size_t{1} << 16);
  std::string text_;
};

const bool enrolled = enroll({.name = "Boost.JSON",
                              .version = BANKHOOK_PEER_VERSION,
                              .how = "in a monotonic resource, with parser and serializer kept",
                              .unchecked = "repeated names; amounts pass through double",
                              .written = "amounts with exponents: 1.99E1 for 19.9",
                              .read = add_reader<BoostReader>,
                              .write = add_writer<BoostWriter>});

}}  // namespace bankhook::bench
