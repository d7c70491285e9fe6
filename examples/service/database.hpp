// SPDX-License-Identifier: MIT
// As much of SQLite as a service needs: statements and durable transactions.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

/// A connection, for one thread. Every failure throws, so that no delivery is
/// acknowledged that is not stored.
class Database {
 public:
  explicit Database(const std::string& path) {
    check(sqlite3_open(path.c_str(), &handle_));
    sqlite3_busy_timeout(handle_, 10'000);
    run("pragma journal_mode = wal");
    run("pragma synchronous = full");  // a commit is on the disk when it returns
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql) {
    check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
  }

  /// One statement; texts and blobs are bound without a copy, so they outlive it.
  class Statement {
   public:
    Statement(Database& database, const char* sql) : database_(database) {
      database.check(
          sqlite3_prepare_v2(database.handle_, sql, -1, &statement_, nullptr));
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(int place, std::int64_t value) {
      database_.check(sqlite3_bind_int64(statement_, place, value));
      return *this;
    }
    Statement& bind(int place, std::string_view bytes) {
      database_.check(sqlite3_bind_blob64(statement_, place, bytes.data(), bytes.size(),
                                          SQLITE_STATIC));
      return *this;
    }
    /// Whether there is another row.
    bool step() {
      const int result = sqlite3_step(statement_);
      if (result != SQLITE_ROW && result != SQLITE_DONE) database_.check(result);
      return result == SQLITE_ROW;
    }
    std::int64_t number(int column) { return sqlite3_column_int64(statement_, column); }
    std::string bytes(int column) {
      const auto* data =
          static_cast<const char*>(sqlite3_column_blob(statement_, column));
      return data ? std::string(data, static_cast<std::size_t>(
                                          sqlite3_column_bytes(statement_, column)))
                  : "";
    }

   private:
    Database& database_;
    sqlite3_stmt* statement_ = nullptr;
  };

 private:
  void check(int result) {
    if (result != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(handle_));
  }

  sqlite3* handle_ = nullptr;
};
