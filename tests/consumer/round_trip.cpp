// SPDX-License-Identifier: MIT
// A user's whole program: reads and writes every payload of a folder, simulates, tracks, stores; prints sums of it all.
#if !defined(IMPORT_BANKHOOK)
#include <bankhook/bankhook.hpp>
#include <bankhook/sandbox.hpp>
#include <bankhook/schema.hpp>

#include "blocks.hpp"
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include <version>

#if defined(__cpp_lib_format)
#include <format>
#endif

#if defined(IMPORT_BANKHOOK)
import bankhook;
namespace blocks {
bool agree() { return true; }  // what is internal is not exported
}  // namespace blocks
#endif

namespace {

/// With an escape, which takes memory, and with arrays in an array.
constexpr std::string_view example_text =
    R"({"event":"bank_connections_update_v2","eventType":"update","customer":{"id":"cus-1","externalId":"ext-1",)"
    R"("connectionsOn":1,"connectionsOff":0,"connections":[{"id":"con-1","errorCode":null,"errorMessage":null,)"
    R"("bank":"\"Synthetic\" bank","transactionsEligibleFromDate":"2026-05-04","accounts":[{"id":"acc-1","accountHash":null},)"
    R"({"id":"acc-2","accountHash":"hash-2"}]}]},"connection":{"id":"con-1","errorCode":null,"errorMessage":null,)"
    R"("bank":"\"Synthetic\" bank","transactionsEligibleFromDate":"2026-05-04","accounts":[{"id":"acc-1","accountHash":null},)"
    R"({"id":"acc-2","accountHash":"hash-2"}]},"shoppingHubId":"hub-1","shoppingHubExternalId":"hub-ext-1"})";

/// FNV-1a of every text that was added: whatever a compiler or a library does differently changes it.
class Sum {
 public:
  void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  void add(double number) { add(std::to_string(std::bit_cast<std::uint64_t>(number))); }
  [[nodiscard]] unsigned long long value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

bool fail(const char* sentence, std::string_view where) {
  std::printf("NO: %s: %.*s\n", sentence, static_cast<int>(where.size()), where.data());
  return false;
}

std::vector<std::filesystem::path> payloads_in(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whether what is written for the event reads back as the event, from memory of its own, too.
bool survives(const bankhook::AnyEvent& read, Sum& sum) {
  return std::visit(
      [&](const auto& known) {
        const std::string text = bankhook::serialize(known);
        sum.add(text);
        bankhook::Arena arena;
        const auto again = bankhook::parse(text, arena);
        if constexpr (requires { known.initial_transaction; }) sum.add(known.initial_transaction.amount.to_double());
        const bankhook::Owned owned(known);
        return again && *again == read && bankhook::serialize(*owned) == text;
      },
      read);
}

/// As text: by std::format, if the standard library has it. Both ways print the same.
template <class T>
std::string printed(const T& value) {
#if defined(__cpp_lib_format)
  return std::format("{}", value);
#else
  return std::string(to_string(value));
#endif
}

bool print_everything() {
  Sum sum;
  bankhook::Arena arena;
  const auto example = bankhook::parse_as<bankhook::BankConnectionsUpdateV2>(example_text, arena);
  if (!example) return fail("the example is rejected", to_string(example.error()));
  sum.add(printed(*example));
  sum.add(printed(example->connection.accounts[1]));
  sum.add(printed(example->event_type));
  sum.add(printed(bankhook::Decimal(1990, 2)));
  sum.add(printed(bankhook::Verdict::contradicts));
  sum.add(printed(bankhook::Errc::truncated));
  sum.add(printed(bankhook::Error{.code = bankhook::Errc::truncated}));
  sum.add(printed(bankhook::SandboxOptions().choices.date_form));
  for (const bankhook::Rule& rule : bankhook::rules) sum.add(printed(rule) + printed(rule.evidence));
  for (const bankhook::Finding& finding : bankhook::diagnose("{}")) sum.add(printed(finding));
  std::printf("printed: sum %016llx\n", sum.value());
  return true;
}

bool read_and_write(const char* folder) {
  Sum sum;
  int taken = 0, rejected = 0;
  for (const auto& path : payloads_in(folder)) {
    const std::string payload = read_file(path);
    bankhook::Arena arena;
    const auto read = bankhook::parse(payload, arena);
    if (read && !survives(*read, sum)) return fail("what was written does not read back", path.filename().string());
    ++(read ? taken : rejected);
    if (!read) sum.add(bankhook::explain(read.error(), payload));
    for (const bankhook::Finding& finding : bankhook::diagnose(payload)) sum.add(bankhook::explain(finding, payload));
  }
  sum.add(bankhook::json_schema<bankhook::BankConnectionsUpdateV2>());
  sum.add(bankhook::asyncapi());
  std::printf("payloads: %d taken, %d rejected, sum %016llx\n", taken, rejected, sum.value());
  return taken > 0 && rejected > 0;
}

template <class Event>
void apply(const Event& event, std::map<std::string, bankhook::MemberState, std::less<>>& states) {
  if constexpr (requires { event.customer.id; }) states[std::string(event.customer.id)].apply(event);
}

/// Whether an archive gives what its events gave one by one: to a tracker, and to a state of each member.
bool follow(const std::string& archive, const bankhook::Tracker& tracker) {
  Sum sum;
  bankhook::Arena arena, kept;
  bankhook::LineCounts counts;
  std::vector<bankhook::ArchiveLine> lines;
  bankhook::parse_lines(archive, kept, lines);
  bankhook::diagnose_lines(archive, arena, counts, [&](std::size_t number, std::string_view raw) {
    sum.add(std::to_string(number).append(raw));
    return true;
  });
  bankhook::Tracker applied, merged;
  if (bankhook::apply_lines(applied, archive) != counts || !(applied == tracker)) return fail("an archive differs", "");
  std::map<std::string, bankhook::MemberState, std::less<>> states;
  auto kept_line = lines.begin();
  for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
    if (kept_line == lines.end() || line.raw != (kept_line++)->raw) return fail("a line differs", line.raw);
    if (line.event) std::visit([&](const auto& event) { apply(event, states); }, *line.event);
  }
  for (const auto& [id, state] : states) {
    const auto restored = bankhook::MemberState::restore(state.snapshot());
    const auto member = bankhook::Tracker::restore(state.snapshot());
    if (!restored || !member || !merged.merge(*member)) return fail("a member is not restored", id);
    sum.add(restored->line(bankhook::SnapshotLineKind::member, id));
  }
  std::printf("archive: %zu lines, sum %016llx\n", lines.size(), sum.value());
  return merged == tracker;
}

bool simulate_and_track() {
  Sum sum;
  bankhook::SandboxOptions options;
  options.faults = {.duplicate = 0.05, .reorder = 0.05, .drop = 0.05, .truncate = 0.05, .mutate = 0.05, .future = 0.05};
  bankhook::Sandbox sandbox(7, options);
  bankhook::Tracker tracker;
  bankhook::Arena arena;
  int taken = 0;
  std::string archive;
  for (const bankhook::Delivery& delivery : sandbox.deliveries(3000)) {
    sum.add(delivery.payload);
    archive.append(delivery.payload) += '\n';
    arena.reset();
    const auto read = bankhook::parse(delivery.payload, arena);
    if (!read) continue;
    ++taken;
    sum.add(bankhook::name_of(tracker.apply(*read).verdict));
  }
  const std::string snapshot = tracker.snapshot();
  const auto restored = bankhook::Tracker::restore(snapshot);
  if (!restored || restored->snapshot() != snapshot) return fail("the snapshot is not restored", "");
  sum.add(snapshot);
  std::printf("sandbox: %d taken, snapshot of %zu bytes, sum %016llx\n", taken, snapshot.size(), sum.value());
  return taken > 2000 && follow(archive, tracker);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  return blocks::agree() && print_everything() && read_and_write(arguments[1]) && simulate_and_track() ? 0 : 1;
}
