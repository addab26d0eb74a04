// What is shown, as files: the points as CSV, the plot as a picture. The CSV has the form of `hourstone import --csv`,
// but the metric of a formula is its text, such as a / b, which `import` refuses and other programs show.

import { element } from './dom.js';

function save(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function field(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a file of series is for. */
export function aboutCsv(series) {
  return series.some(({ isFormula }) => isFormula)
    ? 'Saves the points as a file for other programs: import --csv refuses a metric such as a / b'
    : 'Saves the points as a file, in the form of import --csv';
}

/** The lines of a file with the points of series, with the digits of the response. */
export function csv(series) {
  const lines = ['metric,timestamp,value,tags'];
  for (const { metric, tags, times, values, texts } of series) {
    const digits = texts();
    const name = field(metric);
    const words = field(tags.replaceAll(', ', ' '));
    values.forEach((value, i) => {
      if (value !== null) lines.push(`${name},${new Date(times[i]).toISOString()},${digits[i]},${words}`);
    });
  }
  return `${lines.join('\n')}\n`;
}

export function saveCsv(series) {
  save(new Blob([csv(series)], { type: 'text/csv' }), 'hourstone.csv');
}

/** Saves a canvas on the background of the page. */
export function savePicture(canvas) {
  const copy = element('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--card').trim();
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => save(blob, 'hourstone.png'));
}
