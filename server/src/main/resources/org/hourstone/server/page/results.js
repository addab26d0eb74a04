// The results of a query as series that can be drawn and listed.

/** Series in the order of the response; `values` has null where a point is not a number. */
export function seriesOf(response) {
  return response.filter(hasPoints).map((result) => {
    const times = new Array(result.dps.length);
    const values = new Array(result.dps.length);
    result.dps.forEach(([time, value], i) => {
      times[i] = time;
      values[i] = numberOf(value);
    });
    return { metric: result.metric, tagValues: result.tags, tags: tagText(result.tags), over: result.aggregateTags,
      index: result.query?.index, times, values, ...summary(values) };
  });
}

/** The values of those series as the response has them. */
export function valuesOf(response) {
  return response.filter(hasPoints).map(({ dps }) => dps.map(([, value]) => value));
}

function hasPoints({ dps }) {
  return Array.isArray(dps);
}

/** A value of a response; null if it is not a finite number, which JSON has as text. */
export function numberOf(value) {
  const number = value === null ? NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

export function tagText(tags) {
  return Object.keys(tags).sort().map((tagk) => `${tagk}=${tags[tagk]}`).join(', ');
}

export function summary(values) {
  const all = { points: 0, min: null, max: null, mean: null, last: null };
  let sum = 0;
  for (const value of values) {
    if (value === null) continue;
    all.points++;
    sum += value;
    all.last = value;
    if (all.min === null || value < all.min) all.min = value;
    if (all.max === null || value > all.max) all.max = value;
  }
  if (all.points > 0) all.mean = sum / all.points;
  return all;
}

/** All series over the times of any: what uPlot draws. */
export function table(series) {
  const [first, ...rest] = series;
  const alike = rest.every(({ times }) =>
    times.length === first.times.length && times.every((time, i) => time === first.times[i]));
  return alike
    ? [first.times, ...series.map(({ values }) => values)]
    : window.uPlot.join(series.map(({ times, values }) => [times, values]));
}
