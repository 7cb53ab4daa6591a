// Holds an AsyncAPI document against AsyncAPI's own parser.
//
//   chartproof asyncapi | node tests/asyncapi/validate.mjs
//   node tests/asyncapi/validate.mjs FILE
//
// Prints every diagnostic; exits with 1 when one is an error or there is no document.
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const SEVERITIES = ["error", "warning", "information", "hint"];

const { document, diagnostics } = await new Parser().parse(
  readFileSync(process.argv[2] ?? process.stdin.fd, "utf8"),
);
for (const { severity, code, path, message } of diagnostics) {
  console.log(`${SEVERITIES[severity]} ${code} at ${path.join("/")}: ${message}`);
}
const invalid = document === undefined || diagnostics.some(({ severity }) => severity === 0);
console.log(invalid ? "not a valid AsyncAPI document" : `valid AsyncAPI ${document.version()}`);
process.exitCode = invalid ? 1 : 0;
