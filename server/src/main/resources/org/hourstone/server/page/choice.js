// Which series are shown. A series is known by its name, not by its place in a list: others come and go with the
// range. Names have the form a:sys.cpu{host=web01}, and are kept by links.

import { tagText } from './results.js';

export class Choice {
  /** @param only whether the names are those of the series that are shown; else of those that are hidden */
  constructor(only = false, names = []) {
    this.only = only;
    this.names = new Set(names);
  }

  /** Whether a series is shown. */
  has(name) {
    return this.names.has(name) === this.only;
  }

  /** Hides a series that is shown, and shows one that is hidden. */
  toggle(name) {
    if (!this.names.delete(name)) this.names.add(name);
  }
}

/**
 * Series with their names, which are the same in every range.
 *
 * @param originOf returns for a series the `id` of the row it is of, the `row` as people read it, and `keys`: the tags
 *     that set it apart, null for all. Its other tags are those that the points of a range happen to have in common
 */
export function withNames(all, originOf) {
  const seen = new Map();
  return all.map((series) => {
    const { id, row, keys } = originOf(series);
    const tags = Object.entries(series.tagValues).filter(([tagk]) => keys === null || keys.includes(tagk));
    const name = `${id}:${series.metric}{${tagText(Object.fromEntries(tags))}}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { ...series, row, name: count === 1 ? name : `${name}#${count}` };
  });
}
