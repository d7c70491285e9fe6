// SPDX-License-Identifier: MIT
// How the picture is drawn.
#include "chart.hpp"

#include "fixed.hpp"
#include "peer.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

constexpr int width = 720, left = 170, right = 130, line = 22, title = 34, heading = 28;

/// A corpus, and what its events are, in words.
struct Kind {
  const char* corpus;
  const char* words;
};

constexpr std::array kinds{
    Kind{"bank, everyday", "Everyday bank event: up to 3 connections, 1.5 KB"},
    Kind{"bank, heavy", "Heavy bank event: 20 connections of 10 accounts each, 28 KB"},
    Kind{"transaction", "Transaction event: 0.4 KB"},
};

struct Beam {
  std::string label;
  double ns;
};

std::vector<Beam> beams_of(const Results& results, std::string_view corpus) {
  std::vector<Beam> beams{{"bankhook", results.best("parse", corpus, "bankhook")}};
  for (const Peer& peer : peers())
    beams.push_back({peer.name + " " + peer.version, results.best("parse", corpus, peer.name)});
  std::erase_if(beams, [](const Beam& beam) { return beam.ns == 0; });
  std::ranges::sort(beams, {}, &Beam::ns);
  return beams;
}

void draw_text(std::ostream& out, int x, int y, std::string_view kind, std::string_view text) {
  out << "<text x=\"" << x << "\" y=\"" << y << "\" class=\"" << kind << "\">" << text << "</text>\n";
}

/// Draws one kind of event from `top` on; returns where it ends. Beams that would not fit are cut, and show it.
int draw_kind(std::ostream& out, const Results& results, const Kind& kind, int top) {
  const std::vector<Beam> beams = beams_of(results, kind.corpus);
  if (beams.empty()) return top;
  draw_text(out, 12, top + title - 12, "kind", kind.words);
  int y = top + title;
  const double best = beams.front().ns;
  const double most = std::min(beams.back().ns, best * 12);
  for (const Beam& beam : beams) {
    const bool cut = beam.ns > most;
    const int length = static_cast<int>((width - left - right) * std::min(beam.ns, most) / most);
    draw_text(out, left - 8, y + 14, "label", beam.label);
    out << "<rect x=\"" << left << "\" y=\"" << y + 2 << "\" width=\"" << length << "\" height=\"" << line - 6
        << "\" class=\""
        << (beam.label == "bankhook" ? "ours"
            : cut                    ? "peer cut"
                                     : "peer")
        << "\"/>\n";
    draw_text(out, left + length + 6, y + 14, "value",
              three_digits(beam.ns) + (beam.ns == best ? "" : " (" + three_digits(beam.ns / best) + " times)"));
    y += line;
  }
  return y + 8;
}

constexpr const char* style =
    "<style>text{font:13px system-ui,sans-serif;fill:#222}.heading{font-size:15px;font-weight:600}.kind{font-weight:600}"
    ".label{text-anchor:end}.value,.note{font-size:12px;fill:#555}.ours{fill:#0b7a75}.peer{fill:#9aa5b1}"
    ".cut{stroke:#555;stroke-dasharray:4 3}@media(prefers-color-scheme:dark){text{fill:#eee}.value,.note{fill:#bbb}"
    ".ours{fill:#2ec4b6}.peer{fill:#5d6b7a}.cut{stroke:#bbb}}</style>\n";

}  // namespace

void write_chart(std::ostream& out, const Machine& machine, const Results& results) {
  std::ostringstream body;
  draw_text(body, 12, heading - 6, "heading", "Nanoseconds to parse one event: shorter is faster");
  int height = heading;
  for (const Kind& kind : kinds) height = draw_kind(body, results, kind, height);
  draw_text(body, 12, height + 14, "note",
            machine.compiler + ", " + machine.flags + ", " + machine.processor + "; dashed bars are cut");
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height + 26
      << "\" viewBox=\"0 0 " << width << ' ' << height + 26 << "\" role=\"img\">\n"
      << "<title>Nanoseconds to parse one event, by library: shorter is faster</title>\n"
      << style << body.str() << "</svg>\n";
}

}  // namespace bankhook::bench
