// Names to choose from, from the server: those that exist.

import { get } from './request.js';

const MOST = 50;

/** Metrics, tag names or tag values that begin with a text. */
export function suggest(type, prefix, signal) {
  return get('api/suggest', [['type', type], ['q', prefix], ['max', String(MOST)]], signal);
}

/**
 * The tags of a metric with the number of their values, if the series index knows them; else none.
 */
export async function tagsOf(metric, signal) {
  if (metric === '') return [];
  try {
    return (await get('api/cardinality', [['metric', metric]], signal)).tags;
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    return []; // every name can be completed without it
  }
}

/** The values of a metric's tag that begin with a text, those of most series first; else any tag's. */
export async function valuesOf(metric, tagk, prefix, signal) {
  if (metric !== '' && tagk !== '') {
    try {
      const known = await get(
        'api/cardinality', [['metric', metric], ['tagk', tagk], ['max', '1000']], signal);
      const fitting = known.results.filter(({ tagv }) => tagv.startsWith(prefix));
      if (fitting.length > 0) {
        return fitting.slice(0, MOST).map(({ tagv, series }) => ({ value: tagv, note: String(series) }));
      }
    } catch (e) {
      if (e.name === 'AbortError') throw e;
    }
  }
  return suggest('tagv', prefix, signal);
}

/** Tag names of a metric that begin with a text, with the numbers of their values; else any. */
export async function keysOf(metric, prefix, signal) {
  const known = (await tagsOf(metric, signal)).filter(({ tagk }) => tagk.startsWith(prefix));
  return known.length > 0
    ? known.map(({ tagk, values }) => ({ value: tagk, note: `${values} values` }))
    : suggest('tagk', prefix, signal);
}

const once = new Map();

/** The names of aggregators, sorted. */
export function aggregators() {
  return fetched('api/aggregators', (names) => names.sort());
}

/** The types of filters. */
export function filterTypes() {
  return fetched('api/config/filters', (types) => Object.keys(types));
}

function fetched(path, order) {
  if (!once.has(path)) {
    const list = get(path).then(order);
    list.catch(() => once.delete(path)); // asked again the next time
    once.set(path, list);
  }
  return once.get(path);
}
