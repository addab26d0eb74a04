// The requests for what is plotted: the queries of each axis, each function, each formula.

import { withNames } from './choice.js';
import { curl, curlPost } from './curl.js';
import { withTexts } from './digits.js';
import { format } from './expression.js';
import { formulaKeys, formulaRequest, formulaSeries, formulaValues, gaps } from './formula.js';
import { AXES } from './place.js';
import { full, getText, postText, uri } from './request.js';
import { seriesOf, valuesOf } from './results.js';
import { isRelative } from './times.js';

const QUERY = 'api/query';
const FUNCTION = 'api/query/gexp';
const FORMULA = 'api/query/exp';
const CALENDAR = /\d(?:ms|[smhdwny])c\b/; // such as 1dc, an interval that begins at midnight

/**
 * The requests: each has the `place` of its series, a `command` for a shell, the `uri` if it is a GET request,
 * `send(signal)`, which returns its series, and `hints(series)`, what there is to say of them.
 *
 * @param state the page's
 * @param bounds of the range, in milliseconds
 * @param interval in place of an automatic one
 * @param rows the `queries`, `functions` and `formulas` that are complete
 * @throws Error if a formula can't be asked for
 */
export function plotRequests({ start, end, zone }, { from, to }, interval, { queries, functions, formulas }) {
  const time = (text, at) => (isRelative(text) ? text : String(at));
  const range = [['start', time(start, from)]];
  if (end !== '') range.push(['end', time(end, to)]);
  const textOf = (query) => format(query, interval);

  const get = (path, place, parameters, originOf) => ({
    place, uri: uri(path, parameters), command: curl(full(path), parameters), hints: () => [],
    send: async (signal) => {
      const { json, text } = await getText(path, parameters, signal);
      return withTexts(withNames(seriesOf(json), originOf), text, valuesOf);
    },
  });
  const queriesAt = (place) => {
    const rows = queries.filter((query) => query.place === place);
    if (rows.length === 0) return [];
    const texts = [...new Set(rows.map(textOf))]; // the server has an index for each that differs
    const origins = texts.map((text) => originOfQuery(rows.find((query) => textOf(query) === text)));
    return [get(QUERY, place, [...range, ...texts.map((text) => ['m', text]), ['ms', ''], ['arrays', ''],
      ['show_query', ''], ...zoneOf(texts, zone)], ({ index }) => origins[index])];
  };
  const functionsAt = (place) => functions.map((row, i) => ({ ...row, id: `exp${i + 1}` }))
    .filter((row) => row.place === place)
    .map(({ id, text }) => get(FUNCTION, place,
      [...range, ['exp', text], ['ms', ''], ['arrays', ''], ...zoneOf([text], zone)], () => ({ id, row: text, keys: null })));
  const formulaAt = ({ place, text }, i) => {
    const body = formulaRequest(text, queries,
      Object.fromEntries([...range, ...zoneOf(queries.map(textOf), zone)]), interval);
    const origin = { id: `formula${i + 1}`, row: text, keys: formulaKeys(body) };
    return {
      place, command: curlPost(full(FORMULA), body), hints: (series) => gaps(text, body, series),
      send: async (signal) => {
        const response = await postText(FORMULA, body, signal).catch((e) => {
          if (e.name !== 'AbortError') e.message = `Formula ${text}: ${e.message}`;
          throw e;
        });
        const series = formulaSeries(text, body, response.json);
        return withTexts(withNames(series, () => origin), response.text, formulaValues);
      },
    };
  };
  return [...AXES.flatMap((place) => [...queriesAt(place), ...functionsAt(place)]),
    ...formulas.flatMap((row, i) => (row.place === 'hidden' ? [] : [formulaAt(row, i)]))];
}

/** Series of a query differ by the tags of its groups; if they are not aggregated, by all of their tags. */
function originOfQuery({ letter, aggregator, filters }) {
  return { id: letter, row: letter, keys: aggregator === 'none' ? null
    : filters.filter(({ groupBy }) => groupBy).map(({ tagk }) => tagk) };
}

/** The zone of calendar days, if texts have any. */
function zoneOf(texts, zone) {
  if (!texts.some((text) => CALENDAR.test(text))) return [];
  return [['timezone', zone === 'UTC' ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone]];
}
