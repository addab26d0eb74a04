// The values of a response with all their digits. A number of JavaScript has no 9007199254740993, and no 41.0 that
// is not 41.

const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")|-?\d[\d.eE+-]*/g;

/** Reads JSON, with texts in place of numbers. */
function parseTexts(json) {
  return JSON.parse(json.replace(TOKENS, (token, string) => string ?? `"${token}"`));
}

/**
 * Series of a response, each with `texts()`: its values as they are written there.
 *
 * @param json the response
 * @param textsOf returns the values of each series of a response that was read
 */
export function withTexts(all, json, textsOf) {
  let texts = null; // read when they are needed, which is seldom
  const read = () => { texts ??= textsOf(parseTexts(json)); return texts; };
  return all.map((series, i) => ({ ...series, texts: () => read()[i] }));
}
