// A formula over queries, such as a / b * 100, as a request to /api/query/exp and its result as series.

import { AUTO, formatDownsample, formatRate } from './expression.js';
import { numberOf, summary, tagText } from './results.js';

const ID = 'formula'; // no letter
const WORDS = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*/g;
const MOST_NAMED = 3;

/**
 * The body of the request for a formula.
 *
 * @param all the queries that it may name; others are left to the server, which refuses them
 * @param time `start`, and `end` and `timezone` if they are set
 * @param interval in place of an automatic one
 * @throws Error if it uses what the API can't express
 */
export function formulaRequest(text, all, time, interval) {
  const words = new Set(text.match(WORDS));
  const queries = all.filter(({ letter }) => words.has(letter));
  if (queries.length === 0) {
    throw refusal(text, `it names no query; those there are: ${all.map(({ letter }) => letter).join(', ') || 'none'}`);
  }
  for (const { letter, options } of queries) {
    if (options.length > 0) throw refusal(text, `${letter} has ${options.join(' and ')}, which formulas can’t use`);
  }
  same(text, queries, 'downsampling', ({ downsample }) => formatDownsample(downsample, interval));
  same(text, queries, 'rate', ({ rate }) => (rate === null ? '' : formatRate(rate)));
  const [{ downsample, rate, aggregator }] = queries;
  return {
    time: { ...time, aggregator, ...downsampler(downsample, interval), ...rateOf(rate) },
    filters: queries.filter(isFiltered).map(({ letter, filters, explicitTags }) => ({
      id: letter, explicitTags,
      tags: filters.map(({ type, tagk, value, groupBy }) =>
        ({ type, tagk, filter: type === 'not_key' ? '' : value, groupBy })),
    })),
    metrics: queries.map((query) => ({
      id: query.letter, metric: query.metric, aggregator: query.aggregator,
      ...(isFiltered(query) ? { filter: query.letter } : {}),
      fillPolicy: { policy: query.downsample.fill === 'zero' ? 'zero' : 'nan' },
    })),
    expressions: [{ id: ID, expr: text, join: join(queries) }],
    outputs: [{ id: ID }],
  };
}

/** A request has one of them for all of its metrics. */
function same(text, queries, what, of) {
  const [first, ...others] = queries;
  const other = others.find((each) => of(each) !== of(first));
  if (other === undefined) return;
  const named = ({ letter, ...query }) => `${letter} has ${of(query) || 'none'}`;
  throw refusal(text, `its queries need the same ${what}, but ${named(first)} and ${named(other)}`);
}

function refusal(text, why) {
  return new Error(`Formula ${text}: ${why}`);
}

function isFiltered({ filters, explicitTags }) {
  return filters.length > 0 || explicitTags;
}

function downsampler({ interval, aggregator, fill }, automatic) {
  if (interval === '') return {};
  const policy = fill === 'none' ? {} : { fillPolicy: { policy: fill } };
  return { downsampler: { interval: interval === AUTO ? automatic : interval, aggregator, ...policy } };
}

function rateOf(rate) {
  if (rate === null) return {};
  if (!rate.counter) return { rate: true };
  const { counter, drop, max, reset } = rate;
  return { rate: true, rateOptions: { counter, dropResets: drop,
    ...(max === '' ? {} : { counterMax: max }), ...(reset === '' ? {} : { resetValue: reset }) } };
}

/** Series belong together by the tags of the filters; where series are not aggregated, by all of their tags. */
function join(queries) {
  return { operator: 'union', includeAggTags: false,
    useQueryTags: queries.every(({ aggregator }) => aggregator !== 'none') };
}

/**
 * The series of a response.
 *
 * @param request its body
 * @throws Error if the server has left out a part of it
 */
export function formulaSeries(text, request, { outputs: [{ dps, meta = [] }], query }) { // meta if there are series
  if (request.time.rateOptions !== undefined && !query.time.rateOptions) {
    throw refusal(text, 'its queries have a rate with options, which this server ignores in formulas (strict mode)');
  }
  const times = dps.map(([time]) => time);
  return meta.slice(1).map(({ commonTags, aggregatedTags }, i) => {
    const values = dps.map((row) => numberOf(row[i + 1]));
    return { metric: text, isFormula: true, tagValues: commonTags, tags: tagText(commonTags), over: aggregatedTags,
      times, values, ...summary(values) };
  });
}

/** The values of those series as the response has them. */
export function formulaValues({ outputs: [{ dps, meta = [] }] }) {
  return meta.slice(1).map((any, i) => dps.map((row) => row[i + 1]));
}

/** The tags by which the series of a formula differ; null for all. */
export function formulaKeys({ filters, expressions: [{ join: { useQueryTags } }] }) {
  return useQueryTags ? filters.flatMap(({ tags }) => tags.map(({ tagk }) => tagk)) : null;
}

/**
 * What there is to say of a formula some series of which have no values; nothing if all have.
 *
 * @param request its body
 */
export function gaps(text, request, series) {
  const empty = series.filter(({ points }) => points === 0);
  if (series.length > 0 && empty.length === 0) return [];
  const more = empty.length > MOST_NAMED ? ` and ${empty.length - MOST_NAMED} more` : '';
  const which = empty.length === series.length ? ''
    : ` for ${empty.slice(0, MOST_NAMED).map(({ tags }) => `{${tags}}`).join(', ')}${more}`;
  return [`Formula ${text} has no values${which}: at no time do all of its queries have one`
    + ` with the same ${joined(request)}, or it divides by 0.`];
}

/** What series are joined by, in words. */
function joined({ metrics, filters, expressions: [{ join: { useQueryTags } }] }) {
  if (!useQueryTags) return 'tags';
  const tags = metrics.map(({ id, filter }) => {
    const names = (filters.find((each) => each.id === filter)?.tags ?? []).map(({ tagk }) => tagk).sort().join(', ');
    return { id, names: names || 'none' };
  });
  const alike = tags.every(({ names }) => names === tags[0].names);
  return `tags of filters (${alike ? tags[0].names : tags.map(({ id, names }) => `${id}: ${names}`).join('; ')})`;
}
