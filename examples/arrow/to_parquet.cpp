// SPDX-License-Identifier: MIT
// An archive as a Parquet file, and its amounts by status, written by Arrow C++.
#include <bankhook/columns.hpp>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/util/decimal.h>
#include <parquet/arrow/writer.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace {

constexpr int scale = bankhook::ColumnOptions{}.scale;  // decimal places of amounts

/// The reader owns the stream from here on and asks it for one batch at a time.
template <class Row>
arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> table(
    std::string_view ndjson) {
  auto stream = bankhook::to_columns<Row>(ndjson);  // no options, so it has no error
  return arrow::ImportRecordBatchReader(&*stream);
}

struct Total {
  std::int64_t events = 0;
  arrow::Decimal128 amount{};
};

/// Adds the amounts of a batch up, without rounding.
void add(const arrow::RecordBatch& batch, std::map<std::string, Total>& totals) {
  const auto transactions = std::static_pointer_cast<arrow::StructArray>(
      batch.GetColumnByName("initialTransaction"));
  const auto statuses = std::static_pointer_cast<arrow::StringArray>(
      transactions->GetFieldByName("status"));
  const auto amounts = std::static_pointer_cast<arrow::Decimal128Array>(
      transactions->GetFieldByName("amount"));
  for (std::int64_t row = 0; row < batch.num_rows(); ++row) {
    Total& total = totals[statuses->GetString(row)];
    ++total.events;
    total.amount += arrow::Decimal128(amounts->GetValue(row));
  }
}

arrow::Status write(std::string_view ndjson, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const auto reader,
                        table<bankhook::InitialTransactionUpdate>(ndjson));
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(path));
  // With the schema of Arrow, whose metadata names the sections of the specification.
  const auto options =
      parquet::ArrowWriterProperties::Builder().store_schema()->build();
  ARROW_ASSIGN_OR_RAISE(const auto writer,
                        parquet::arrow::FileWriter::Open(
                            *reader->schema(), arrow::default_memory_pool(), file,
                            parquet::default_writer_properties(), options));
  std::map<std::string, Total> totals;
  for (;;) {
    ARROW_ASSIGN_OR_RAISE(const auto batch, reader->Next());
    if (!batch) break;
    ARROW_RETURN_NOT_OK(writer->WriteRecordBatch(*batch));
    add(*batch, totals);
  }
  ARROW_RETURN_NOT_OK(writer->Close());
  ARROW_RETURN_NOT_OK(file->Close());
  for (const auto& [status, total] : totals)
    std::printf("%s: %lld events, %s\n", status.c_str(),
                static_cast<long long>(total.events),
                total.amount.ToString(scale).c_str());
  return arrow::Status::OK();
}

/// The lines that are no events, or whose amount has more decimal places.
arrow::Status show_rejected(std::string_view ndjson) {
  ARROW_ASSIGN_OR_RAISE(const auto reader, table<bankhook::RejectedLine>(ndjson));
  for (const auto& next : *reader) {
    ARROW_ASSIGN_OR_RAISE(const auto batch, next);
    const auto lines =
        std::static_pointer_cast<arrow::Int64Array>(batch->GetColumnByName("line"));
    const auto rules =
        std::static_pointer_cast<arrow::StringArray>(batch->GetColumnByName("rule"));
    for (std::int64_t row = 0; row < batch->num_rows(); ++row)
      std::printf("line %lld: %s\n", static_cast<long long>(lines->Value(row)),
                  rules->GetString(row).c_str());
  }
  return arrow::Status::OK();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: to_parquet ARCHIVE.ndjson OUT.parquet\n", stderr);
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string archive{std::istreambuf_iterator<char>(file),
                            std::istreambuf_iterator<char>()};
  arrow::Status status =
      file ? write(archive, arguments[2]) : arrow::Status::IOError("cannot be read");
  if (status.ok()) status = show_rejected(archive);
  if (status.ok()) return 0;
  std::fprintf(stderr, "to_parquet: %s: %s\n", arguments[1], status.ToString().c_str());
  return 1;
}
