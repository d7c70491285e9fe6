// SPDX-License-Identifier: MIT
// An archive on disk, mapped into memory: parts of 1 MB to 4 GB, and two threads that share one.
#include "groups.hpp"
#include "measure.hpp"
#include "quotes.hpp"

#include <bankhook/bankhook.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

namespace bankhook::bench {
namespace {

constexpr std::size_t mega = std::size_t{1} << 20;
constexpr std::size_t whole = 4096 * mega;

/// A file in memory, all of it there: what the system takes to map a page is not the reader's, and differs by machine.
class Mapped {
 public:
  explicit Mapped(const std::string& file) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    begin_ = mmap(nullptr, whole, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    close(descriptor);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() {
    if (begin_ != MAP_FAILED) munmap(begin_, whole);
  }

  /// The whole lines among `size` bytes from `offset` on; none where the file could not be mapped.
  [[nodiscard]] std::string_view lines(std::size_t offset, std::size_t size) const {
    if (begin_ == MAP_FAILED) return {};
    const std::string_view all(static_cast<const char*>(begin_) + offset, size);
    const std::size_t first = offset == 0 ? 0 : all.find('\n') + 1;
    return all.substr(first, all.rfind('\n') + 1 - first);
  }

 private:
  void* begin_;
};

/// How many lines there are, if all of them are events, else 0.
std::size_t read_lines(std::string_view lines) {
  Arena arena;
  std::size_t events = 0;
  for (const ArchiveLine& line : Lines(lines, arena)) {
    if (!line.event) return 0;
    ++events;
  }
  return events;
}

/// Each thread takes half, cut at a line end, and reads on its own.
template <auto read>
std::size_t by_two(std::string_view lines) {
  const std::size_t cut = lines.find('\n', lines.size() / 2) + 1;
  std::size_t first = 0;
  std::thread other([&] { first = read(lines.substr(0, cut)); });
  const std::size_t second = read(lines.substr(cut));
  other.join();
  return first + second;
}

/// Written once: the corpus again and again. Its name says what it holds, so that another corpus makes another file.
std::string make_archive(const Corpus& corpus, const std::string& folder) {
  const std::string_view archive = corpus.archive();
  const std::string file = folder + "/archive-" + std::to_string(std::hash<std::string_view>{}(archive)) + ".ndjson";
  std::error_code error;
  if (std::filesystem::file_size(file, error) >= whole && !error) return file;
  std::fprintf(stderr, "writing %s: 4 GB\n", file.c_str());
  std::filesystem::remove_all(folder, error);
  std::filesystem::create_directories(folder, error);
  std::ofstream out(file, std::ios::binary);
  for (std::size_t size = 0; size < whole && out; size += archive.size()) {
    out.write(archive.data(), static_cast<std::streamsize>(archive.size()));
  }
  return file;
}

/// Made when it is wanted for the first time.
const Mapped& archive(const Corpus& corpus, const std::string& folder) {
  static const Mapped file(make_archive(corpus, folder));
  return file;
}

/// Each pass takes the next part of the file, so that a small one is not learned by heart.
template <class Read>
void measure_part(const Corpus& corpus, const std::string& folder, std::size_t size, const char* method, Read read) {
  const auto run = [&corpus, folder, size, read, offset = std::size_t{0}](double least_seconds) mutable {
    const Mapped& file = archive(corpus, folder);
    const std::size_t bytes_an_event = corpus.archive().size() / corpus.events.size();
    using Clock = std::chrono::steady_clock;  // two threads have more than one processor's time
    Sample sample;
    while (sample.bytes == 0 || sample.seconds < least_seconds) {
      const std::string_view lines = file.lines(offset, size);
      const auto start = Clock::now();
      if (read(lines) == 0) return Sample{};
      sample.seconds += std::chrono::duration<double>(Clock::now() - start).count();
      sample.bytes += lines.size();
      offset = (offset + size) % whole;
    }
    sample.events = sample.bytes / bytes_an_event;
    return sample;
  };
  methods().push_back({"scaling", std::to_string(size / mega) + " MB", method, run});
}

}  // namespace

void register_scaling(const Corpus& corpus, const std::string& folder) {
  for (const std::size_t size : {mega, 16 * mega, 256 * mega, whole}) {
    measure_part(corpus, folder, size, "bankhook, Lines", read_lines);
  }
  measure_part(corpus, folder, 256 * mega, "bankhook, Lines, two threads", by_two<read_lines>);
  // What two threads gain where nothing but memory is shared: it says whether the machine had two cores to give.
  measure_part(corpus, folder, 256 * mega, "counting quotes", count_quotes);
  measure_part(corpus, folder, 256 * mega, "counting quotes, two threads", by_two<count_quotes>);
}

}  // namespace bankhook::bench
