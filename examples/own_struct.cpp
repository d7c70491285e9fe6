// SPDX-License-Identifier: MIT
// A payload of your own: a plain struct, which the library reads, writes and keeps.
#include <bankhook/bankhook.hpp>
#include <bankhook/schema.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

namespace shop {

enum class Payment : std::uint8_t {
  card,
  cash_on_delivery
};  // "card", "cashOnDelivery", and what may come yet

struct Item {
  std::string_view name;
  bankhook::Decimal price;  // exact: 19.90 stays 19.90
  std::uint32_t pieces = 1;
};

struct Category {
  std::string_view title;
  std::span<const Item> items;
  std::span<const Category> categories;  // a struct may hold arrays of itself
};

struct OrderPlacedV1 {
  bankhook::TypeTag<OrderPlacedV1> event;  // "event": "order_placed_v1"
  std::string_view order_id;               // "orderId"
  bankhook::OpenEnum<Payment> payment;  // known values as enumerators, others as text
  bankhook::nullable<std::string_view> coupon;        // a text or null, never missing
  bankhook::maybe_absent<std::string_view> greeting;  // a text, or no such field at all
  std::chrono::year_month_day
      delivery_date;  // a day of the calendar, or the payload is rejected
  Category basket;
};

using bankhook::operator==;  // values are equal if all their fields are

}  // namespace shop

template <>
struct std::hash<shop::Item> : bankhook::Hash<shop::Item> {
};  // and equal values have equal hashes

namespace {

// An event of a shop, which the specification does not list.
// findings: event_is_listed
constexpr std::string_view payload =
    R"({"event":"order_placed_v1","orderId":"order-1","payment":"cashOnDelivery","coupon":null,"deliveryDate":"2026-05-04",)"
    R"("basket":{"title":"all","items":[],"categories":[{"title":"paper","items":[{"name":"A \"lined\" pad","price":19.90,)"
    R"("pieces":2},{"name":"Pen","price":1.5,"pieces":1}],"categories":[]}]}})";

std::size_t count_items(const shop::Category& category) {
  std::size_t items = category.items.size();
  for (const shop::Category& inner : category.categories) items += count_items(inner);
  return items;
}

bool check(bool holds, const char* sentence) {
  std::printf("%s %s\n", holds ? "  yes:" : "   NO:", sentence);
  return holds;
}

}  // namespace

int main() {
  bankhook::Arena arena;
  const auto order = bankhook::parse_as<shop::OrderPlacedV1>(payload, arena);
  if (!check(order.has_value(), "the payload is an order")) return 1;

  bool fine =
      check(order->payment == shop::Payment::cash_on_delivery, "it is paid in cash");
  fine &= check(!order->coupon && !order->greeting, "without coupon and greeting");
  fine &= check(count_items(order->basket) == 2, "it holds two items");
  fine &= check(bankhook::serialize(*order) == payload, "it is written as it was read");

  const std::span<const shop::Item> items = order->basket.categories[0].items;
  shop::Item pen{.name = "Pen", .price = bankhook::Decimal(150, 2)};  // 1.50 is 1.5
  fine &=
      check(items[1] == pen && items[0] != pen, "items are compared by their fields");
  fine &= check(std::unordered_set<shop::Item>{items[0], items[1], pen}.size() == 2,
                "and hashed by them");

  const bankhook::Owned<shop::OrderPlacedV1> kept(
      *order);  // needs neither payload nor arena
  fine &= check(*kept == *order, "a copy of it can be kept");
  arena.reset();
  fine &= check(kept->basket.categories[0].items[0].name == "A \"lined\" pad",
                "without what it was read from");

  std::string wrong(payload);
  wrong.replace(wrong.find("05-04"), 5, "02-30");
  const auto rejected = bankhook::parse_as<shop::OrderPlacedV1>(wrong, arena);
  fine &= check(!rejected, "an impossible day is rejected:");
  if (!rejected)
    std::printf("       %s\n", to_string(bankhook::finding_of<shop::OrderPlacedV1>(
                                             rejected.error(), wrong))
                                   .c_str());

  const std::string schema = bankhook::json_schema<shop::OrderPlacedV1>();
  fine &= check(schema.contains(
                    R"("pieces":{"type":"integer","minimum":0,"maximum":4294967295})"),
                "it has a JSON Schema:");
  std::printf("%s\n", schema.c_str());
  return fine ? 0 : 1;
}
