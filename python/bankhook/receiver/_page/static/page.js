// SPDX-License-Identifier: MIT
// Replaces the part of the page that changes, every two seconds while it is looked at and nothing in it has the focus.
"use strict";

const part = document.querySelector("[data-live]");
const lost = document.querySelector(".lost");
let etag = "";

async function refresh() {
  if (document.hidden || part.contains(document.activeElement)) return;
  const answer = await fetch(location.href, { cache: "no-store", headers: { "x-part": "1", "if-none-match": etag } });
  if (!answer.ok) return; // 304 included: nothing has changed
  etag = answer.headers.get("etag");
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  part.replaceChildren(...parsed.body.childNodes);
}

if (part !== null) {
  setInterval(() => refresh().then(() => { lost.hidden = true; }, () => { lost.hidden = false; }), 2000);
}
