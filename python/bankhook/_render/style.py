# SPDX-License-Identifier: MIT
"""The styles of all views: every colour is mixed from the text colour of the page, and so fits light and dark pages."""

from __future__ import annotations

from bankhook._render.hues import HUES

__all__ = ["STYLE"]

_HUES = "".join(f"--{name}:{colour};" for name, colour in HUES.items())

# `&` is the whole view: a doubled class, which outweighs the selectors by which notebooks style tables and pre. The
# first of two declarations of a colour is for browsers without color-mix.
STYLE = (
    """
&{--ink:var(--jp-content-font-color1,var(--vscode-editor-foreground,currentColor));color:var(--ink);
--dim:color-mix(in srgb,var(--ink) 64%,transparent);--line:color-mix(in srgb,var(--ink) 18%,transparent);
--wash:color-mix(in srgb,var(--ink) 5%,transparent);@HUES@--teal:#0d9488;
--mono:var(--jp-code-font-family,ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace);
font-family:var(--jp-ui-font-family,system-ui,-apple-system,"Segoe UI","Liberation Sans",Arial,sans-serif);
font-size:13px;line-height:1.55;max-width:980px;text-align:left;overflow-wrap:anywhere}
& .bh-head{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;margin:2px 0 4px}
& .bh-class{font-weight:600}
& .bh-dim,& .bh-note,& .bh-name{color:#888;color:var(--dim)}
& .bh-note{margin:2px 0}
& .bh-name,& .bh-code,& .bh-text,& .bh-none,
& pre{font-family:var(--mono);font-size:12px}
& details{margin:0}
& summary{cursor:pointer;display:list-item;padding:1px 4px;border-radius:4px;margin-left:-4px}
& summary:hover{background:var(--wash)}
& summary>*{margin-right:6px}
& .bh-inner{border-left:1px solid #8885;border-left-color:var(--line);margin-left:5px;padding-left:15px}
& .bh-row{display:flex;gap:14px;padding:1px 0}
& .bh-row>.bh-name{flex:0 0 32ch}
& .bh-row>.bh-value{flex:1 1 auto;min-width:0}
& .bh-text{color:#0d9488;color:color-mix(in srgb,var(--teal) 72%,var(--ink))}
& .bh-none{font-style:italic;color:#888;color:var(--dim)}
& .bh-absent{border-bottom:1px dotted}
& .bh-unseen{font-family:var(--mono);font-size:11px;border-radius:3px;padding:0 2px;margin:0 1px;
background:#a8790033;color:color-mix(in srgb,var(--warn) 60%,var(--ink))}
& .bh-pill{display:inline-block;white-space:nowrap;border:1px solid var(--hue);border-radius:9px;
padding:0 8px;font-size:12px;line-height:18px;color:color-mix(in srgb,var(--hue) 60%,var(--ink));
background:color-mix(in srgb,var(--hue) 12%,transparent)}
& .bh-rule .bh-pill{margin-right:6px}
& .bh-basis,& .bh-rule{line-height:1.9}
& .bh-plain{--hue:var(--dim)}& .bh-new{--hue:var(--new)}& .bh-gone{--hue:var(--gone)}
& .bh-good{--hue:var(--good)}& .bh-bad{--hue:var(--bad)}& .bh-warn,& .bh-unlisted{--hue:var(--warn)}
& .bh-pill.bh-assumed,& .bh-unlisted{border-style:dashed}
& .bh-pill.bh-example,& .bh-pill.bh-unspecified{border-style:dotted}
& .bh-finding{border-left:3px solid var(--hue);padding:2px 0 2px 11px;margin:8px 0}
& .bh-finding.bh-assumed{border-left-style:dashed}& .bh-finding.bh-example{border-left-style:dotted}
& .bh-finding .bh-code{font-weight:600}
& pre{margin:4px 0;padding:5px 10px;border:0;border-radius:5px;background:var(--wash);color:inherit;
white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5}
& mark{background:#d55e0033;background:color-mix(in srgb,var(--hue,var(--bad)) 26%,transparent);
color:inherit;border-bottom:2px solid var(--hue,var(--bad));border-radius:2px 2px 0 0;padding:0 1px}
& .bh-table{overflow-x:auto;margin:3px 0}
& table{border-collapse:collapse;border:0;margin:0;font-size:12px;table-layout:auto;color:inherit}
& table tr:nth-child(n){background:none}
& th,& td{text-align:left;vertical-align:baseline;padding:3px 18px 3px 0;border:0;
overflow-wrap:break-word;
border-bottom:1px solid #8883;border-bottom-color:var(--line);max-width:48em;white-space:normal;background:none}
& th{white-space:nowrap;font-weight:500;color:#888;color:var(--dim)}
& .bh-figures{display:flex;flex-wrap:wrap;gap:6px 26px;margin:4px 0 6px}
& .bh-figure b{display:block;font-size:20px;line-height:1.3;font-weight:600}
& svg{max-width:100%;height:auto;display:block;margin:4px 0}
& svg text{fill:var(--ink)}
& .bh-chart{overflow-x:auto}
& .bh-chart svg{min-width:600px;overflow:visible}
& .bh-chart :is(.role-axis-domain,.mark-rule) line{stroke:var(--dim)}
& .bh-chart .role-axis-grid line{stroke:var(--line)}
""".replace("\n", "")
    .replace("@HUES@", _HUES)
    .replace("&", ".bankhook.bankhook")
)
