// SPDX-License-Identifier: MIT
// Replaces the part of the page that changes, every two seconds while it is looked at and nothing in it has the focus; and what
// a page without a script lacks: rows that are links, keys, and buttons that copy.
"use strict";

const part = document.querySelector("[data-live]");
const [live, lost] = [".live", ".lost"].map((name) => document.querySelector(name));
const keys = document.getElementById("keys");
let etag = "";

async function refresh() {
  if (document.hidden || part.contains(document.activeElement) || String(getSelection())) return;
  const answer = await fetch(location.href, { cache: "no-store", headers: { "x-part": "1", "if-none-match": etag } });
  if (answer.status >= 500) throw new Error("the inbox is away");
  stamp();
  document.getElementById("count").textContent = answer.headers.get("x-attention");
  if (!answer.ok) return; // 304 included: nothing has changed
  etag = answer.headers.get("etag");
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  part.replaceChildren(...parsed.body.childNodes);
  showButtons();
}

function stamp() {
  live.textContent = `live, as of ${new Date().toISOString().slice(11, 19)} UTC`;
}

function show(isLost) {
  [live.hidden, lost.hidden] = [isLost, !isLost];
}

function showButtons() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

// Focuses the link of the next row (1) or the one before (-1); where there is no list, goes to the delivery beside this one.
function move(step) {
  const links = [...document.querySelectorAll("[data-row] td:first-child a")];
  const at = links.findIndex((link) => link.closest("tr").contains(document.activeElement));
  if (links.length > 0) links[Math.min(Math.max(at + step, 0), links.length - 1)].focus();
  else document.querySelector(step > 0 ? "[rel=next]" : "[rel=prev]")?.click();
}

const commands = {
  j: () => move(1),
  k: () => move(-1),
  "/": () => (document.querySelector("[type=search]") ?? document.querySelector(".mark")).focus(),
  r: () => location.reload(),
};

document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea") !== null;
  if (!keys.checked || isTyped || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(commands, event.key)) return;
  event.preventDefault();
  commands[event.key]();
});

document.addEventListener("click", async (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy !== null) {
    await navigator.clipboard.writeText(copy.parentElement.querySelector("code").textContent);
    copy.textContent = "Copied";
  }
  if (event.target.closest("a, button, input, label, summary") !== null || String(getSelection())) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const link = event.target.closest("[data-row]")?.querySelector("td:first-child a");
  link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
});

keys.checked = localStorage.getItem("keys") !== "off";
keys.addEventListener("change", () => localStorage.setItem("keys", keys.checked ? "on" : "off"));
keys.closest("footer").hidden = false;
showButtons();
if (part !== null) {
  stamp();
  show(false);
  setInterval(() => refresh().then(() => show(false), () => show(true)), 2000);
}
