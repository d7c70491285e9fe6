// SPDX-License-Identifier: MIT
// Replaces the part of the page that changes, every two seconds while it is looked at and nothing in it has the focus.
"use strict";

const part = document.querySelector("[data-live]");
const [live, lost] = [".live", ".lost"].map((name) => document.querySelector(name));
let etag = "";

async function refresh() {
  if (document.hidden || part.contains(document.activeElement)) return;
  const answer = await fetch(location.href, { cache: "no-store", headers: { "x-part": "1", "if-none-match": etag } });
  stamp();
  document.getElementById("count").textContent = answer.headers.get("x-attention");
  if (!answer.ok) return; // 304 included: nothing has changed
  etag = answer.headers.get("etag");
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  part.replaceChildren(...parsed.body.childNodes);
}

function stamp() {
  live.textContent = `live, as of ${new Date().toISOString().slice(11, 19)} UTC`;
}

function show(isLost) {
  [live.hidden, lost.hidden] = [isLost, !isLost];
}

if (part !== null) {
  stamp();
  show(false);
  setInterval(() => refresh().then(() => show(false), () => show(true)), 2000);
}
