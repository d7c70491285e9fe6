// SPDX-License-Identifier: MIT
// nlohmann/json: a document walked in the members' order, and one made of the library's structs and dumped.
#include "peer.hpp"
#include "tree_reader.hpp"
#include "tree_writer.hpp"

#include <bankhook/bankhook.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace bankhook::bench { namespace {

/// Members in a row instead of a tree of them: quicker here, and they keep their order.
using Json = nlohmann::ordered_json;

struct NlohmannTree {
  using Node = const Json*;

  static bool text(Node node, std::string_view& out) {
    if (!node->is_string()) return false;
    out = node->get_ref<const std::string&>();
    return true;
  }
  static bool integer(Node node, std::uint64_t& out) {
    if (!node->is_number_unsigned()) return false;
    out = node->get<std::uint64_t>();
    return true;
  }
  static bool decimal(Node node, Decimal& out) {
    if (node->is_number_float()) return read_decimal(node->get<double>(), out);
    if (!node->is_number_integer()) return false;
    out = Decimal(node->get<std::int64_t>());
    return true;
  }
  static bool is_null(Node node) { return node->is_null(); }
  static bool is_object(Node node) { return node->is_object(); }
  static bool is_array(Node node) { return node->is_array(); }
  static std::size_t size(Node node) { return node->size(); }
  template <class F>
  static bool for_each(Node node, F&& f) {
    for (const Json& element : *node) {
      if (!f(&element)) return false;
    }
    return true;
  }

  using Map = Json::object_t;
  static std::string_view key(const Map::value_type& member) { return member.first; }
  static Node value(const Map::value_type& member) { return &member.second; }
  struct Members : MembersInARow<Map::const_iterator, Node, key, value> {
    explicit Members(Node node) : Members(node->get_ref<const Map&>()) {}
    explicit Members(const Map& map) : MembersInARow(map.begin(), map.end()) {}
  };
};

class NlohmannReader {
 public:
  explicit NlohmannReader(const Corpus&) {}

  template <class T>
  [[nodiscard]] const T* read(std::string_view event) {
    tree_.reset();
    document_ = Json::parse(event, nullptr, false);
    T& out = held_.fresh<T>();
    return !document_.is_discarded() && tree_.read(&document_, out) ? &out : nullptr;
  }

 private:
  Json document_;  ///< holds the texts of the last event
  TreeReader<NlohmannTree> tree_;
  HeldEvents held_;
};

struct NlohmannMaker {
  using Node = Json;

  static Json text(std::string_view text) { return text; }
  static Json integer(std::uint64_t value) { return value; }
  static Json decimal(const Decimal& value) { return value.to_double(); }
  static Json null() { return nullptr; }
  static Json object(std::size_t) { return Json::object(); }
  static Json array(std::size_t size) {
    Json made = Json::array();
    made.get_ref<Json::array_t&>().reserve(size);
    return made;
  }
  /// No name comes twice: none is searched for.
  static void add(Json& object, std::string_view name, Json&& node) {
    object.get_ref<Json::object_t&>().Json::object_t::Container::emplace_back(std::string(name), std::move(node));
  }
  static void append(Json& array, Json&& node) { array.push_back(std::move(node)); }
};

class NlohmannWriter {
 public:
  template <class T>
  [[nodiscard]] std::string_view write(const T& event) {
    return text_ = TreeWriter(maker_).make(event).dump();
  }

 private:
  NlohmannMaker maker_;
  std::string text_;
};

const bool enrolled = enroll({.name = "nlohmann/json",
                              .version = BANKHOOK_PEER_VERSION,
                              .how = "ordered_json",
                              .unchecked = "repeated names; amounts pass through double",
                              .written = "amounts as doubles: 7.0 for 7",
                              .read = add_reader<NlohmannReader>,
                              .write = add_writer<NlohmannWriter>});

}}  // namespace bankhook::bench
