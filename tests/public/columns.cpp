// SPDX-License-Identifier: MIT
// A program that reads a table of an archive in batches.
#include <bankhook/columns.hpp>

#include <cstdint>
#include <string_view>

int main() {
  constexpr std::string_view ndjson = "{\"event\":\"from_the_future\"}\n{\"event\":7}\n";
  auto stream = bankhook::to_columns<bankhook::RejectedLine>(ndjson);
  if (!stream) return 1;
  std::int64_t rows = 0;
  for (;;) {
    ArrowArray batch{};
    if (stream->get_next(&*stream, &batch) != 0) return 1;
    if (batch.release == nullptr) break;
    rows += batch.length;
    batch.release(&batch);
  }
  stream->release(&*stream);
  return rows == 1 ? 0 : 1;
}
