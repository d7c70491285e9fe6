// SPDX-License-Identifier: MIT
// yyjson: a document read in situ in a kept pool and walked in the members' order, and one made of the library's structs.
#include "peer.hpp"
#include "tree_reader.hpp"
#include "tree_writer.hpp"

#include <bankhook/bankhook.hpp>

#include <yyjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace bankhook::bench { namespace {

/// Numbers are kept as text and read by the library, so that amounts stay exact.
struct YyjsonTree {
  using Node = yyjson_val*;

  static bool text(Node node, std::string_view& out) {
    if (!yyjson_is_str(node)) return false;
    out = {yyjson_get_str(node), yyjson_get_len(node)};
    return true;
  }
  static bool integer(Node node, std::uint64_t& out) {
    const char* const digits = yyjson_get_raw(node);
    return digits != nullptr && detail::text::scan_integer(digits, digits + yyjson_get_len(node), out).error == Errc::none;
  }
  static bool decimal(Node node, Decimal& out) {
    const char* const digits = yyjson_get_raw(node);
    return digits != nullptr && detail::text::scan_decimal(digits, digits + yyjson_get_len(node), out).error == Errc::none;
  }
  static bool is_null(Node node) { return yyjson_is_null(node); }
  static bool is_object(Node node) { return yyjson_is_obj(node); }
  static bool is_array(Node node) { return yyjson_is_arr(node); }
  static std::size_t size(Node node) { return yyjson_arr_size(node); }
  template <class F>
  static bool for_each(Node node, F&& f) {
    yyjson_arr_iter all = yyjson_arr_iter_with(node);
    while (Node element = yyjson_arr_iter_next(&all)) {
      if (!f(element)) return false;
    }
    return true;
  }

  /// The library's own iterator looks at the next member first, too.
  class Members {
   public:
    explicit Members(Node node) : all_(yyjson_obj_iter_with(node)) {}
    [[nodiscard]] bool find(std::string_view name, Node& out) {
      out = yyjson_obj_iter_getn(&all_, name.data(), name.size());
      return out != nullptr;
    }

   private:
    yyjson_obj_iter all_;
  };
};

/// In situ is its quickest way; it overwrites the payload, which is therefore copied first, into a buffer that is kept.
class YyjsonReader {
 public:
  explicit YyjsonReader(const Corpus&) {}

  template <class T>
  [[nodiscard]] const T* read(std::string_view event) {
    constexpr yyjson_read_flag flags = YYJSON_READ_INSITU | YYJSON_READ_NUMBER_AS_RAW;
    tree_.reset();
    text_.resize(event.size() + YYJSON_PADDING_SIZE);
    std::memcpy(text_.data(), event.data(), event.size());
    std::memset(text_.data() + event.size(), 0, YYJSON_PADDING_SIZE);
    yyjson_alc_pool_init(&allocator_, pool_.data(), pool_.size());
    yyjson_doc* const document = yyjson_read_opts(text_.data(), event.size(), flags, &allocator_, nullptr);
    if (document == nullptr) return nullptr;
    T& out = held_.fresh<T>();
    return tree_.read(yyjson_doc_get_root(document), out) ? &out : nullptr;
  }

 private:
  std::vector<char> text_;
  std::vector<char> pool_ = std::vector<char>(std::size_t{1} << 20);
  yyjson_alc allocator_{};
  TreeReader<YyjsonTree> tree_;
  HeldEvents held_;
};

/// Names are not copied into the tree; texts are, for those of dates are printed by the library and gone before it is.
struct YyjsonMaker {
  using Node = yyjson_mut_val*;

  yyjson_mut_doc* document;

  [[nodiscard]] Node text(std::string_view text) const { return yyjson_mut_strncpy(document, text.data(), text.size()); }
  [[nodiscard]] Node integer(std::uint64_t value) const { return yyjson_mut_uint(document, value); }
  [[nodiscard]] Node decimal(const Decimal& value) const {
    std::array<char, Decimal::max_printed> digits;
    const char* const end = value.print(digits.data());
    return yyjson_mut_rawncpy(document, digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  [[nodiscard]] Node null() const { return yyjson_mut_null(document); }
  [[nodiscard]] Node object(std::size_t) const { return yyjson_mut_obj(document); }
  [[nodiscard]] Node array(std::size_t) const { return yyjson_mut_arr(document); }
  void add(Node object, std::string_view name, Node node) const {
    yyjson_mut_obj_add(object, yyjson_mut_strn(document, name.data(), name.size()), node);
  }
  static void append(Node array, Node node) { yyjson_mut_arr_append(array, node); }
};

class YyjsonWriter {
 public:
  template <class T>
  [[nodiscard]] std::string_view write(const T& event) {
    yyjson_alc_pool_init(&allocator_, pool_.data(), pool_.size());
    YyjsonMaker maker{yyjson_mut_doc_new(&allocator_)};
    yyjson_mut_doc_set_root(maker.document, TreeWriter(maker).make(event));
    std::size_t size = 0;
    const char* const text = yyjson_mut_write_opts(maker.document, YYJSON_WRITE_NOFLAG, &allocator_, &size, nullptr);
    return text == nullptr ? std::string_view() : std::string_view(text, size);
  }

 private:
  std::vector<char> pool_ = std::vector<char>(std::size_t{4} << 20);
  yyjson_alc allocator_{};
};

const bool enrolled = enroll({.name = "yyjson",
                              .version = YYJSON_VERSION_STRING,
                              .how = "in situ, the payload copied first, in a kept pool, numbers kept as text",
                              .unchecked = "repeated names",
                              .written = "nothing",
                              .read = add_reader<YyjsonReader>,
                              .write = add_writer<YyjsonWriter>});

}}  // namespace bankhook::bench
