// SPDX-License-Identifier: MIT
// How the page is written.
#include "report.hpp"

#include "bars.hpp"
#include "fixed.hpp"
#include "peer.hpp"
#include "turns.hpp"
#include "varying.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {
namespace {

constexpr double steady = 0.05;  // of their median, the most that the references may spread on a page

constexpr std::array kinds{"bank, everyday", "bank, heavy", "transaction"};

/// How long it takes beside the library's quickest way; nothing for the references and where the library has none.
std::string times(const Row& row, const Row* ours) {
  return ours == nullptr ? "" : three_digits(row.median() / ours->median());
}

void write_section(std::ostream& out, const Section& section) {
  const Row* const ours = section.best("bankhook");
  out << "\n### " << section.task << ": " << section.corpus << "\n\n"
      << "| | ns an event | spread | GB/s | times bankhook |\n|---|--:|--:|--:|--:|\n";
  for (const Row& row : section.rows) {
    const std::string name = &row == ours ? "**" + row.method + "**" : row.method;
    out << "| " << name << " | " << three_digits(row.median()) << " | " << fixed(row.spread() * 100, 1) << " % | "
        << fixed(row.bytes / row.median(), 2) << " | " << times(row, ours) << " |\n";
  }
}

/// One row: the library's quickest way for each kind of event in another form, and how many times as long simdjson takes.
void write_form_row(std::ostream& out, const Results& results, const std::string& form) {
  out << "| " << form;
  for (const char* const kind : kinds) {
    const std::string corpus = std::string(kind) + ", " + form;
    const double ours = results.best("parse", corpus, "bankhook");
    const double other = results.best("parse", corpus, "simdjson");
    out << " | " << (ours > 0 ? three_digits(ours) + " (" + three_digits(other / ours) + ")" : "");
  }
  out << " |\n";
}

/// One row: the library's quickest way for each kind of event, and how many times the library's time that is.
void write_summary_row(std::ostream& out, const Results& results, std::string_view task, const std::string& library,
                       const std::string& label) {
  std::string cells;
  bool any = false;
  for (const char* const corpus : kinds) {
    const double ns = results.best(task, corpus, library);
    const double ours = results.best(task, corpus, "bankhook");
    any = any || ns > 0;
    cells += ns > 0 ? " | " + three_digits(ns) : " | ";
    if (ns > 0 && ours > 0 && ns != ours) cells += " (" + three_digits(ns / ours) + ")";
  }
  if (any) out << "| " << label << cells << " |\n";
}

void write_summary(std::ostream& out, const Setting& setting, const Results& results) {
  out << "<!-- speed:begin -->\n";
  for (const std::string_view task : {"parse", "serialize"}) {
    if (task != "parse") out << "\n";
    out << "| " << task << ", ns an event (times bankhook) | bank, everyday | bank, heavy | transaction |\n"
        << "|---|--:|--:|--:|\n";
    write_summary_row(out, results, task, "bankhook", "**bankhook**");
    for (const Peer& peer : peers()) write_summary_row(out, results, task, peer.name, peer.name + " " + peer.version);
    write_summary_row(out, results, task, "memcpy", "memcpy of the text");
    if (task == "parse") write_summary_row(out, results, task, "counting quotes", "a pass that counts quotes");
  }
  out << "\n| parse, other forms: bankhook, ns an event (times bankhook: simdjson)";
  for (const char* const kind : kinds) out << " | " << kind;
  out << " |\n|---|--:|--:|--:|\n";
  for (const Variety& variety : varieties) write_form_row(out, results, std::string(words_of(variety.ids)));
  for (const Form form : forms) write_form_row(out, results, std::string(words_of(form)));
  out << "\nEach library in the quickest of its ways, in minified text in the specification's order but for the last "
         "table. "
      << setting.machine.compiler << " `" << setting.machine.flags << "`, " << setting.machine.processor << ", "
      << setting.machine.system << ", " << setting.made << ".\n<!-- speed:end -->\n";
}

void write_peers(std::ostream& out) {
  out << "\n## The peers\n\n"
         "All run in one process, on the same events, into the same structs with the same values: each converts dates, "
         "times, amounts and enumerations by the library's functions. Only glaze and simdjson's reflection have structs of "
         "their own, in which these are texts. The library has to find out the event's type, its peers know it. Before it "
         "is measured, each reader has to give the library's values for every event, and what each writer writes has to be "
         "read back as the same values. jsonifier is missing: Debian has no package of it.\n\n"
         "| | how it is used | what its reader lets pass and the library's does not | what its writer writes otherwise |\n"
         "|---|---|---|---|\n";
  for (const Peer& peer : peers()) {
    out << "| " << peer.name << " " << peer.version << " | " << peer.how << " | " << peer.unchecked << " | " << peer.written
        << " |\n";
  }
}

void write_bars(std::ostream& out, const std::vector<Bar>& bars) {
  out << "\n## Bars\n\n"
         "What this project wants to reach, each from the kind of event and the corpus where it is worst. One that is "
         "missed "
         "is still a figure: a bar of 2.2 times simdjson that is missed at 2.1 says 2.1 times as fast.\n\n"
         "| bar | wanted | reached | on | |\n|---|--:|--:|---|---|\n";
  for (const Bar& bar : bars) {
    out << "| " << bar.what << " | " << (bar.at_most ? "at most " : "at least ") << fixed(bar.wanted, 2) << " | "
        << fixed(bar.reached, 2) << " | " << bar.where << " | " << (bar.is_met() ? "met" : "**missed**") << " |\n";
  }
}

}  // namespace

std::vector<std::string> problems_of(const std::string& path, const Setting& setting, const Results& results) {
  constexpr double as_fast = 1.1;
  constexpr std::string_view kind = "bank, everyday", row_begin = "| memcpy of the text | ";
  std::vector<std::string> problems = results.problems;
  for (const Section& section : results.sections()) {
    for (const Row& row : section.rows) {
      if (section.task != "parse" || (row.method != "memcpy" && row.method != "counting quotes")) continue;
      if (row.spread() >= steady)
        problems.push_back(row.method + ", " + section.corpus + ", spreads " + fixed(row.spread() * 100, 1) + " %");
    }
  }
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t found = page.find(row_begin);
  if (found == page.npos || !page.contains("\n" + setting.machine.processor + ", ")) return problems;
  const double last = std::strtod(page.c_str() + found + row_begin.size(), nullptr);
  const double now = results.of("parse", kind, "memcpy");
  if (now > as_fast * last)
    problems.push_back("memcpy takes " + three_digits(now) + " ns for an everyday event, and on the last page of this " +
                       "processor " + three_digits(last) + " ns: remove " + path + " if that machine was another one");
  return problems;
}

void write_report(std::ostream& out, const Setting& setting, const Results& results) {
  const Machine& machine = setting.machine;
  out << "# " << machine.compiler << ", `" << machine.flags << "`\n\n"
      << machine.processor << ", " << machine.system << ".\nMedians of " << repetitions
      << " repetitions; the spread is that of the middle half of them. Each is a fifth of a second of turns of 10 ms, the "
         "turns of all methods in random order. Made by `./dev bench`, which writes a page only if copying the text and "
         "counting its quotes spread less than "
      << fixed(steady * 100, 0) << " %.\n\n";
  write_summary(out, setting, results);
  out << "\n## Corpora\n\n"
         "The first ones are made by the library's sandbox from one seed. Ids, hashes and dates have one length each; half "
         "of the names have an accent; of the texts that people write, up to two in five have an escape.\n\n"
         "The texts of the others vary in length, within an event and between events. They are made without the library, "
         "by "
         "four seeds: ids of 8 to 40 hexadecimal digits, UUIDs, decimal ids of 6 to 19 digits, and a mixture; accents in "
         "none, a fifth, three fifths and a fifth of the names; hashes of 32, 40 or 64 digits; two thirds of the consents; "
         "an escape in one bank's name of 16.\n\n"
         "A quarter of each of these four is in each other form. Blanks: one after each comma and colon. Absent as null: a "
         "field that may be absent is null instead. Shuffled: the members of every object in random order. Indented: by "
         "two blanks. Unlisted fields: one to ten listed ones, with any kind of value.\n\n";
  for (const std::string& corpus : setting.corpora) out << "- " << corpus << "\n";
  out << "\n## All methods\n";
  for (const Section& section : results.sections()) write_section(out, section);
  write_peers(out);
  write_bars(out, bars(results));
}

}  // namespace bankhook::bench
