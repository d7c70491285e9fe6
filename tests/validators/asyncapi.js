// SPDX-License-Identifier: MIT
// What the AsyncAPI parser says of the document on stdin: its diagnostics, and the messages that it found, by name.
"use strict";

const { readFileSync } = require("node:fs");
const { Parser } = require("@asyncapi/parser");

async function main() {
  const { document, diagnostics } = await new Parser().parse(readFileSync(0, "utf8"));
  const messages = document ? document.messages().all() : [];
  process.stdout.write(
    JSON.stringify({
      diagnostics: diagnostics.map(({ code, severity, path, message }) => ({ code, severity, path, message })),
      payloads: Object.fromEntries(messages.map((message) => [message.name(), message.payload().json()])),
    }),
  );
}

main();
