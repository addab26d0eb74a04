// A query in OpenTSDB's `m=` form, as an object and as text:
// aggregator:[downsampling:][rate:][option:]metric[{group by}[{filter}]]

const TYPED = /^([a-z_]+)\(([\s\S]*)\)$/;
const PLAIN = /^[^*(){},:=]+$/;

/** The interval of downsampling by the width of the plot. */
export const AUTO = 'auto';

/** A query of nothing yet. */
export function emptyQuery() {
  return {
    letter: '', // in formulas; empty until it is given one
    place: 'left',
    metric: '',
    aggregator: 'sum',
    filters: [],
    downsample: { interval: AUTO, aggregator: 'avg', fill: 'none' },
    rate: null,
    explicitTags: false,
    options: [], // those the page has no control for
  };
}

/** A rate's options: those of a counter count only if it is one. */
export function emptyRate() {
  return { counter: false, max: '', reset: '', drop: false };
}

/** Whether a query can be sent. */
export function isComplete(query) {
  return query.metric !== '' && query.filters.every((filter) => isWhole(filter));
}

function isWhole(filter) {
  return filter.tagk !== '' && (filter.value !== '' || filter.type === 'not_key');
}

/**
 * The text of a query. Filters that are not filled in yet are left out.
 *
 * @param interval in place of an automatic one; without it that stays a word, which only links have
 */
export function format(query, interval = AUTO) {
  const parts = [query.aggregator];
  const { downsample, rate } = query;
  if (downsample.interval !== '') parts.push(formatDownsample(downsample, interval));
  if (rate !== null) parts.push(formatRate(rate));
  if (query.explicitTags) parts.push('explicit_tags');
  parts.push(...query.options, query.metric + formatFilters(query.filters.filter(isWhole)));
  return parts.join(':');
}

/** The text of downsampling; empty for none. */
export function formatDownsample(downsample, interval) {
  if (downsample.interval === '') return '';
  const fill = downsample.fill === 'none' ? '' : `-${downsample.fill}`;
  const width = downsample.interval === AUTO ? interval : downsample.interval;
  return `${width}-${downsample.aggregator}${fill}`;
}

export function formatRate(rate) {
  if (!rate.counter) return 'rate';
  const options = [rate.drop ? 'dropcounter' : 'counter', rate.max, rate.reset];
  while (options[options.length - 1] === '') options.pop();
  return `rate{${options.join(',')}}`;
}

function formatFilters(filters) {
  const text = (groupBy) => filters
    .filter((filter) => filter.groupBy === groupBy)
    .map((filter) => `${filter.tagk}=${formatFilter(filter)}`)
    .join(',');
  const others = text(false);
  const groups = text(true);
  if (groups === '' && others === '') return '';
  return `{${groups}}` + (others === '' ? '' : `{${others}}`);
}

function formatFilter({ type, value }) {
  const plain = (type === 'literal_or' && PLAIN.test(value)) || (type === 'wildcard' && value === '*');
  return plain ? value : `${type}(${type === 'not_key' ? '' : value})`;
}

/** The query of a text; what can't be read becomes the metric, which the server then refuses by name. */
export function parse(text) {
  const query = { ...emptyQuery(), downsample: { interval: '', aggregator: 'avg', fill: 'none' } };
  const parts = split(text, ':');
  const series = parts.pop();
  if (parts.length > 0) query.aggregator = parts.shift();
  for (const part of parts) {
    if (/^rate/i.test(part)) {
      query.rate = parseRate(part);
    } else if (/^\d/.test(part) || part.startsWith(`${AUTO}-`)) {
      const [interval, aggregator = 'avg', fill = 'none'] = part.split('-');
      query.downsample = { interval, aggregator, fill };
    } else if (part === 'explicit_tags') {
      query.explicitTags = true;
    } else if (part !== '') {
      query.options.push(part);
    }
  }
  return { ...query, ...parseSeries(series) };
}

function parseRate(text) {
  const [kind = '', max = '', reset = ''] = text.replace(/^rate\{?|\}$/gi, '').split(',');
  return { counter: kind.endsWith('counter'), drop: kind === 'dropcounter', max, reset };
}

function parseSeries(series) {
  const brace = series.indexOf('{');
  if (brace < 0 || !series.endsWith('}')) return { metric: series, filters: [] };
  const [groups, others = ''] = series.slice(brace + 1, -1).split('}{');
  return {
    metric: series.slice(0, brace),
    filters: [...parseFilters(groups, true), ...parseFilters(others, false)],
  };
}

function parseFilters(text, groupBy) {
  return split(text, ',').filter((each) => each !== '').map((each) => {
    const equals = each.indexOf('=');
    const tagk = equals < 0 ? each : each.slice(0, equals);
    return { tagk, groupBy, ...parseFilter(equals < 0 ? '' : each.slice(equals + 1)) };
  });
}

function parseFilter(text) {
  const typed = TYPED.exec(text);
  if (typed) return { type: typed[1], value: typed[2] };
  if (text === '*') return { type: 'wildcard', value: text };
  return { type: text.includes('*') ? 'iwildcard' : 'literal_or', value: text };
}

/** Splits at a character outside of all brackets, as the server does. */
function split(text, at) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if ('{[('.includes(text[i])) {
      depth++;
    } else if ('}])'.includes(text[i])) {
      depth--;
    } else if (text[i] === at && depth <= 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
