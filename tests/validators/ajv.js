// SPDX-License-Identifier: MIT
// What ajv says: {"schemas": [...], "payloads": [base64, ...]} on stdin, one verdict a payload on stdout.
"use strict";

const { readFileSync } = require("node:fs");
const Ajv = require("ajv/dist/2020").default;
const addFormats = require("ajv-formats").default;

const asked = JSON.parse(readFileSync(0, "utf8"));
const ajv = addFormats(new Ajv({ strict: true }));
const validators = asked.schemas.map((schema) => ajv.compile(schema)); // throws where strict mode has a complaint
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the bytes are JSON that one of the schemas accepts. */
function isAccepted(payload) {
  let value;
  try {
    value = JSON.parse(utf8.decode(Buffer.from(payload, "base64")));
  } catch {
    return false;
  }
  return validators.some((validate) => validate(value));
}

process.stdout.write(JSON.stringify(asked.payloads.map(isAccepted)));
