// The letters by which formulas name queries. A query keeps its letter when others are removed.

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz'];

/** Gives a letter to each query that has none, or that of a query before it: the first one that is free. */
export function giveLetters(queries) {
  const used = new Set();
  for (const query of queries) {
    if (used.has(query.letter)) query.letter = '';
    if (query.letter !== '') used.add(query.letter);
  }
  for (const query of queries) {
    if (query.letter === '') {
      query.letter = free(used);
      used.add(query.letter);
    }
  }
}

/** Whether queries have no letters yet, or those that they would get without. */
export function areInOrder(queries) {
  const used = new Set();
  return queries.every(({ letter }) => {
    const next = free(used);
    used.add(next);
    return letter === '' || letter === next;
  });
}

/** After z there is a1. */
function free(used) {
  for (let round = 0; ; round++) {
    const found = ALPHABET.map((letter) => letter + (round === 0 ? '' : round)).find((letter) => !used.has(letter));
    if (found !== undefined) return found;
  }
}
